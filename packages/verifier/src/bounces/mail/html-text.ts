const breaks = new Set(['br', 'p', 'div', 'tr', 'td', 'th', 'li', 'h1', 'h2', 'h3', 'table', 'blockquote']);
const hidden = new Set(['style', 'script', 'head', 'title']);
const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  nbsp: ' ',
  apos: "'",
};
const tagCharactersMax = 2_000;

/** The words of an HTML part, with a line for each block. Reads each character once. */
export function textOfHtml(html: string): string {
  let text = '';
  let at = 0;
  let hiddenBy = '';
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const end = open < 0 ? html.length : open;
    if (hiddenBy === '') text += html.slice(at, end);
    if (open < 0) break;
    const close = html.indexOf('>', open);
    if (close < 0 || close - open > tagCharactersMax) {
      if (close < 0) break;
      at = close + 1;
      continue;
    }
    const tag = /^\/?[a-z0-9]+/i.exec(html.slice(open + 1, open + 20))?.[0].toLowerCase() ?? '';
    const name = tag.replace('/', '');
    if (hidden.has(name)) hiddenBy = tag.startsWith('/') ? '' : name;
    if (breaks.has(name)) text += '\n';
    at = close + 1;
  }
  return text.replace(/&(?:#(\d{1,6})|([a-z]{2,5}));/g, (whole, digits?: string, name?: string) =>
    digits === undefined
      ? (entities[name ?? ''] ?? whole)
      : String.fromCodePoint(Math.min(Number(digits), 0x10ffff)),
  );
}
