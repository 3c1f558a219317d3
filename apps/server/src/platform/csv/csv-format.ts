export type Delimiter = ',' | ';' | '\t' | '|';

/** How the cells of a file are kept apart. */
export interface CsvFormat {
  readonly delimiter: Delimiter;
  readonly quote: '"' | "'";
}

export const delimiters: readonly Delimiter[] = [',', ';', '\t', '|'];
export const sampleRowsMax = 200;
/** No table of people is this wide, and a file may not cost as much as it claims to be. */
export const columnsMax = 2_000;

/** Single quotes count as quoting only where they enclose whole cells and double quotes never appear. */
export function detectQuote(sample: string): '"' | "'" {
  return !sample.includes('"') && /(^|[,;\t|\n])'[^'\n]*'([,;\t|\n]|$)/.test(sample) ? "'" : '"';
}

/** The share of rows that have the most common number of cells, when that is more than one. */
export function evenness(rows: string[][]): number {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.length, (counts.get(row.length) ?? 0) + 1);
  const [width = 1, count = 0] = [...counts].sort((left, right) => right[1] - left[1])[0] ?? [];
  return width > 1 ? count / rows.length : 0;
}
