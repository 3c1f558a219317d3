import { escapeHtml } from './html.ts';

/** A place in the documentation that the search can find. */
export interface SearchEntry {
  readonly url: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

const wordsMax = 8;
const resultsMax = 20;
const excerptLength = 140;

/** The entries that contain every word, those with the words in their titles first. */
export function createSearch(entries: readonly SearchEntry[]): (query: string) => SearchEntry[] {
  const searched = entries.map((entry) => ({
    entry,
    page: entry.page.toLowerCase(),
    title: entry.title.toLowerCase(),
    text: entry.text.toLowerCase(),
  }));
  return (query) => {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    return searched
      .map((lower) => ({ entry: lower.entry, score: scoreOf(lower, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score)
      .slice(0, resultsMax)
      .map(({ entry }) => entry);
  };
}

const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);

/** 0 if a word is missing. */
function scoreOf(
  { page, title, text }: Pick<SearchEntry, 'page' | 'title' | 'text'>,
  words: readonly string[],
): number {
  let score = 0;
  for (const word of words) {
    if (title.includes(word)) score += 3;
    else if (page.includes(word)) score += 2;
    else if (text.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

/** The results as part of a page. The script shows the same part below the search field. */
export function renderResults(results: readonly SearchEntry[], query: string): string {
  if (query.trim() === '') return '<p role="status">Type what you are looking for.</p>';
  const count = results.length;
  const found = count === 0 ? 'Nothing found' : `${count} ${count === 1 ? 'result' : 'results'}`;
  const items = results.map(
    ({ url, page, title, text }) =>
      `<li><a href="${url}"><strong>${escapeHtml(title)}</strong> <span>${escapeHtml(page)}</span><br><small>${escapeHtml(excerptOf(text, query))}</small></a></li>`,
  );
  return `<p role="status">${found} for “${escapeHtml(query)}”.</p>
<ol class="results">${items.join('')}</ol>`;
}

/** The text around the first word that it contains. */
function excerptOf(text: string, query: string): string {
  const lower = text.toLowerCase();
  const places = wordsOf(query)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - excerptLength / 3);
  const from = start === 0 || places.length === 0 ? 0 : text.indexOf(' ', start) + 1;
  const isCut = from + excerptLength < text.length;
  // Ends after a whole word.
  const end = isCut ? text.lastIndexOf(' ', from + excerptLength) : text.length;
  return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${isCut ? ' …' : ''}`;
}
