import { readFileSync } from 'node:fs';

/**
 * disposable: domains of throw-away mailboxes; disposable_host: registrable domains of their MX names; hoster: those of
 * providers that serve anybody; ordinary: domains that are never disposable; provider: mail providers, the most used
 * first; role: names of functions; typo: `typed meant`, domains that exist only because people mistype others.
 */
export const listNames = [
  'disposable',
  'disposable_host',
  'hoster',
  'ordinary',
  'provider',
  'role',
  'typo',
] as const;
type ListName = (typeof listNames)[number];

interface Loaded {
  generatedOn: string;
  /** Every list as one text: a line break, then an entry and a line break each. */
  texts: Record<ListName, string>;
}

let loaded: Loaded | undefined;

/**
 * The file is read at the first question, and its long list searched as text: making a set of 160,000 domains would cost
 * more than a short run of the command line takes in all.
 */
function load(): Loaded {
  if (loaded !== undefined) return loaded;
  const file = readFileSync(new URL('../../data/domain-lists.generated.txt', import.meta.url), 'latin1');
  const texts: Partial<Record<ListName, string>> = {};
  const index = [...file.slice(0, 2_000).matchAll(/^(\w+) \d+ (\d+)$/gm)];
  const last = index.at(-1);
  let offset = (last?.index ?? 0) + (last?.[0].length ?? 0) + 1;
  for (const [, name, length] of index) {
    texts[name as ListName] = file.slice(offset, offset + Number(length));
    offset += Number(length);
  }
  loaded = { generatedOn: / on (\d{4}-\d\d-\d\d);/.exec(file)?.[1] ?? '', texts: texts as Loaded['texts'] };
  return loaded;
}

/** Whether the long list of disposable domains holds one, by halving its sorted text. */
export function isListedDisposable(entry: string): boolean {
  const text = load().texts.disposable;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = text.lastIndexOf('\n', middle) + 1;
    const end = text.indexOf('\n', start);
    if (end < 0) {
      high = middle;
      continue;
    }
    const found = text.slice(start, end);
    if (found === entry) return true;
    if (found < entry) low = end + 1;
    else high = start - 1;
  }
  return false;
}

const sets: Partial<Record<ListName, Set<string>>> = {};

/** All entries of one of the short lists, in the order of the list. */
export function entriesOf(list: Exclude<ListName, 'disposable'>): ReadonlySet<string> {
  sets[list] ??= new Set(load().texts[list].trim().split('\n'));
  return sets[list];
}

/** The day on which the lists were put together, as YYYY-MM-DD. */
export const listsGeneratedOn = (): string => load().generatedOn;
