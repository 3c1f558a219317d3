import { escapeHtml } from './html.ts';

interface Language {
  readonly comment?: '#' | '//';
  readonly keywords: ReadonlySet<string>;
  /** A word, or a text, in front of these is a name. */
  readonly afterNames: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/**
 * The documentation has four languages, all of our own writing, for which this is enough; a library would bring a hundred
 * languages and megabytes.
 */
const languages: Readonly<Record<string, Language>> = {
  sh: { comment: '#', keywords: words('for in do done curl echo printf export cat'), afterNames: '' },
  ts: {
    comment: '//',
    keywords: words(
      'import from export const let for of while if else try catch return await async new instanceof typeof true false null undefined',
    ),
    afterNames: '(:',
  },
  python: {
    comment: '#',
    keywords: words('import from as def class for in while if else return with not and or None True False'),
    afterNames: '(=',
  },
  json: { keywords: words('true false null'), afterNames: ':' },
};

/** Comments, texts (an unclosed one ends with the code), numbers, options and words. */
const token =
  /\/\/[^\n]*|#[^\n]*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?|\d[\w.]*|--?[a-zA-Z][\w-]*|[a-zA-Z_]\w*/g;

/** The code as HTML, its parts marked by classes; as plain text in other languages. */
export function highlight(code: string, name: string): string {
  const language = languages[name];
  if (!language) return escapeHtml(code);
  let html = '';
  let end = 0;
  for (const { 0: text, index } of code.matchAll(token)) {
    html += escapeHtml(code.slice(end, index));
    end = index + text.length;
    const kind = kindOf(text, code.charAt(end), language);
    html += kind ? `<span class="code-${kind}">${escapeHtml(text)}</span>` : escapeHtml(text);
  }
  return html + escapeHtml(code.slice(end));
}

type Kind = 'comment' | 'string' | 'number' | 'keyword' | 'name';

function kindOf(text: string, next: string, { comment, keywords, afterNames }: Language): Kind | null {
  const isBeforeName = next !== '' && afterNames.includes(next);
  if (comment && text.startsWith(comment)) return 'comment';
  if (/^["'`]/.test(text)) return isBeforeName && text.startsWith('"') ? 'name' : 'string';
  if (/^\d/.test(text)) return 'number';
  if (keywords.has(text)) return 'keyword';
  const isOption = afterNames === '' && text.startsWith('-');
  return isOption || (isBeforeName && /^\w/.test(text)) ? 'name' : null;
}
