import { neutraliseFormula } from './formulas.ts';

/** No row is filled up beyond this: one row of many cells may not make a million rows as long. */
const paddedColumnsMax = 1_000;

/** How the lines of one file are written. */
export interface TableFormat {
  readonly delimiter: string;
  /** Shorter rows are filled up with empty cells, so that what is added behind them stays in its column. */
  readonly columnCount: number;
  readonly formulas: 'neutralised' | 'raw';
}

/** A row of the customer's cells with ours behind it. */
export function tableRow(
  cells: readonly string[],
  added: readonly string[],
  { columnCount, formulas }: TableFormat,
): string[] {
  const missing = Math.max(0, Math.min(columnCount, paddedColumnsMax) - cells.length);
  const row = [...cells, ...Array<string>(missing).fill(''), ...added];
  return formulas === 'raw' ? row : row.map(neutraliseFormula);
}

/** The cells of one line that `formatRow` has written. */
export function splitLine(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    const isQuoted = line[at] === '"';
    const end = isQuoted ? closingQuote(line, at + 1) : endOfCell(line, at, delimiter);
    cells.push(isQuoted ? line.slice(at + 1, end).replaceAll('""', '"') : line.slice(at, end));
    const next = isQuoted ? end + 1 : end;
    if (next >= line.length) return cells;
    at = next + 1;
  }
}

function endOfCell(line: string, at: number, delimiter: string): number {
  const end = line.indexOf(delimiter, at);
  return end < 0 ? line.length : end;
}

function closingQuote(line: string, start: number): number {
  let at = line.indexOf('"', start);
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at < 0 ? line.length : at;
}
