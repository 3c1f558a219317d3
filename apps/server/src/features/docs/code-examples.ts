import { highlight } from './highlight.ts';
import { escapeHtml } from './html.ts';

/** The languages of programs, in the order of their tabs. */
const programLanguages = { sh: 'curl', ts: 'TypeScript', python: 'Python' } as const;
export type ProgramLanguage = keyof typeof programLanguages;

export const isProgramLanguage = (language: string): language is ProgramLanguage =>
  Object.hasOwn(programLanguages, language);

const captions: Readonly<Record<string, string>> = { ...programLanguages, json: 'JSON', output: 'Prints' };

/** A block of code. Only programs can be copied. */
export function renderCode(code: string, language: string, caption = captions[language]): string {
  const title = caption ? `<figcaption>${escapeHtml(caption)}</figcaption>` : '';
  const copy = isProgramLanguage(language) ? ' data-copy' : '';
  return `<figure class="code"${copy}>${title}<pre><code>${highlight(code, language)}</code></pre></figure>\n`;
}

export interface Panel {
  readonly language: ProgramLanguage;
  readonly html: string;
}

/**
 * The same example in several languages. Radio buttons choose one without a script; the script only remembers the choice.
 * `name` is unique on the page.
 */
export function renderLanguages(panels: readonly Panel[], name: string): string {
  const choices = panels.map(
    ({ language }, index) =>
      `<label><input type="radio" name="${name}" value="${language}"${index === 0 ? ' checked' : ''}><span>${programLanguages[language]}</span></label>`,
  );
  const contents = panels.map(
    ({ language, html }) => `<div class="panel" data-language="${language}">\n${html}</div>\n`,
  );
  return `<div class="languages">
<fieldset><legend class="unseen">Language of the example</legend>${choices.join('')}</fieldset>
${contents.join('')}</div>
`;
}
