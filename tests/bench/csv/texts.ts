const mb = 1_000_000;
const filled = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));
const rows = (count: number, rowOf: (row: number) => string): string =>
  Array.from({ length: count }, (_, row) => `${rowOf(row)}\n`).join('');

/** What the suite reads, by name. */
export const texts: Readonly<Record<string, () => string>> = {
  'a million rows': () =>
    rows(mb, (row) => `Jane Doe ${row},jane.${row}@company-${row % 999}.example,Oslo,${row}`),
  'a million rows in quotes': () =>
    rows(mb, (row) => `"Doe, Jane ${row}","jane.${row}@company-${row % 999}.example","Oslo","say ""hi"""`),
  ...hostile('1 MB', mb),
  ...hostile('100 MB', 100 * mb),
};

/** The first three are a row each, which our reader refuses at its limit. */
function hostile(size: string, length: number): Record<string, () => string> {
  return {
    [`${size} of quoted cells in a row`]: () => `email${filled(',"a"', length)}\n`,
    [`${size} of single quotes in a row`]: () => `email${filled(",'", length)}\n`,
    [`${size} of text in a row`]: () => filled('a', length),
    [`${size} of quoted cells in rows`]: () => filled(`email${filled(',"a"', 6_000)}\n`, length),
    [`${size} of text behind quotes`]: () => filled(`email${filled(',"a"b', 6_000)}\n`, length),
    [`${size} of opened quotes`]: () => filled(`email${filled(',"a', 6_000)}\n`, length),
    [`${size} of two thousand columns`]: () => filled(`email${','.repeat(1_999)}\n`, length),
    [`${size} of one address`]: () => filled('jane@exists.test\n', length),
    [`${size} of blank lines`]: () => filled('\n', length),
  };
}

/** Whether a text is there to cost much more than its length. */
export const isHostile = (name: string): boolean => / MB of /.test(name);
