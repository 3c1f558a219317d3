import { type Delimiter, delimiters } from './csv-format.ts';

/** How far below the top of a file its table may begin. */
const skippedRowsMax = 10;
/** The line that tells Excel the delimiter. */
const separatorLine = /^"?sep=(.)"?(?:\n|$)/i;
const separatorLineLengthMax = 10;

/** What Excel's `sep=;` line says, if there is one: the delimiters to choose from, and how many rows it takes. */
export function readSeparatorLine(text: string): { delimiters: readonly Delimiter[]; rowCount: 0 | 1 } {
  const separator = separatorLine.exec(text.slice(0, separatorLineLengthMax))?.[1];
  const named = delimiters.filter((delimiter) => delimiter === separator);
  return { delimiters: named.length > 0 ? named : delimiters, rowCount: separator === undefined ? 0 : 1 };
}

interface RowJudge {
  /** Whether a cell names a column that is looked for. */
  isName(cell: string): boolean;
  /** Whether a cell holds what is looked for. */
  isValue(cell: string): boolean;
}

/**
 * How many rows stand above the table: all above a row that names a column, as long as none of them holds a value; or else
 * those at the top with one filled cell at the most, where the table has several columns.
 */
export function countTitleRows(rows: readonly string[][], { isName, isValue }: RowJudge): number {
  const firstValue = rows.findIndex((row) => row.some(isValue));
  const above = rows.slice(0, Math.min(firstValue < 0 ? rows.length : firstValue, skippedRowsMax + 1));
  const named = above.findIndex((row) => row.some((cell) => isName(cell.trim())));
  if (named >= 0) return named;
  if (usualWidth(rows) < 2) return 0;
  const table = rows.findIndex((row) => row.filter((cell) => cell.trim() !== '').length > 1);
  // The last row above the first value is the header, however few of its cells are filled.
  return Math.max(0, Math.min(table, above.length - 1));
}

function usualWidth(rows: readonly string[][]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0];
}
