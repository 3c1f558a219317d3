import { type Result, results } from '@assay/verifier';
import { Marked, type Token, type Tokens } from 'marked';
import { isProgramLanguage, type Panel, renderCode, renderLanguages } from './code-examples.ts';
import { slugOf, withoutTags } from './html.ts';
import { verdictMark } from './logo-and-verdict-marks.ts';

export interface Heading {
  readonly id: string;
  readonly title: string;
}

/** A part of a page, for the search: from one heading to the next. */
interface Part extends Heading {
  readonly text: string;
}

export interface RenderedText {
  readonly html: string;
  /** The headings of the second level. */
  readonly headings: readonly Heading[];
  readonly parts: readonly Part[];
}

const markdown: Marked = new Marked({
  renderer: {
    code({ text, lang = '' }) {
      return renderCode(text, languageOf(lang));
    },
    heading({ tokens, depth, text }) {
      const words = this.parser.parseInline(tokens);
      const mark = isResult(text) ? `${verdictMark(text)} ` : '';
      return `<h${depth} id="${slugOf(text)}">${mark}${words}</h${depth}>\n`;
    },
  },
});

const isResult = (text: string): text is Result => Object.hasOwn(results, text);

const languageOf = (lang: string | undefined): string => lang?.split(' ')[0] ?? '';

/** Renders a text of the guide. The texts are our own, so their HTML is not escaped. */
export function renderMarkdown(text: string): RenderedText {
  const tokens = markdown.lexer(text);
  const html = markdown
    .parser(withLanguages(tokens))
    .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<th>', '<th scope="col">');
  const headings = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map(headingOf);
  return { html, headings, parts: partsOf(tokens) };
}

const headingOf = ({ text }: Tokens.Heading): Heading => ({
  id: slugOf(text),
  title: withoutTags(text).replaceAll('`', '').trim(),
});

/** Joins neighbouring programs in different languages, each with its output, to one example with a choice of languages. */
function withLanguages(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  let run: Tokens.Code[] = [];
  const endRun = () => {
    joined.push(...joinRun(run, `language-${joined.length}`));
    run = [];
  };
  for (const token of tokens) {
    if (token.type === 'code') run.push(token as Tokens.Code);
    else if (token.type !== 'space' || run.length === 0) {
      endRun();
      joined.push(token);
    }
  }
  endRun();
  return joined;
}

function joinRun(run: readonly Tokens.Code[], name: string): Token[] {
  const panels: Panel[] = [];
  for (const { text, lang } of run) {
    const language = languageOf(lang);
    const html = renderCode(text, language);
    if (isProgramLanguage(language)) panels.push({ language, html });
    else {
      const last = panels.pop();
      if (!last) return [...run];
      panels.push({ ...last, html: last.html + html });
    }
  }
  const languages = new Set(panels.map(({ language }) => language));
  if (languages.size < 2 || languages.size < panels.length) return [...run];
  const html = renderLanguages(panels, name);
  return [{ type: 'html', raw: html, text: html, block: true, pre: false } satisfies Tokens.HTML];
}

function partsOf(tokens: readonly Token[]): Part[] {
  const parts: { id: string; title: string; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth <= 2) {
      const { id, title } = headingOf(token as Tokens.Heading);
      parts.push({ id: token.depth === 1 ? '' : id, title, text: '' });
    } else if (token.type !== 'code') {
      const part = parts.at(-1);
      if (part) part.text += `${plainText(token.raw)} `;
    }
  }
  return parts;
}

const plainText = (source: string): string =>
  withoutTags(source)
    .replaceAll(/\]\([^()]*\)/g, ' ')
    .replaceAll(/[`*#|[\]]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
