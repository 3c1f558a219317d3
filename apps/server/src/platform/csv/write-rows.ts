import { neutraliseFormula } from './formulas.ts';

/** Precedes a file, so that spreadsheets read it as UTF-8. */
export const byteOrderMark = '\ufeff';

/** One row as a line of CSV, without its line break; cells are quoted only where they must be. */
export function formatRow(cells: readonly string[], delimiter: string): string {
  let line = '';
  for (let at = 0; at < cells.length; at++) {
    if (at > 0) line += delimiter;
    line += formatCell(cells[at] as string, delimiter);
  }
  return line;
}

export function formatCell(cell: string, delimiter: string): string {
  const mustQuote =
    cell.includes(delimiter) ||
    cell.includes('"') ||
    cell.includes('\n') ||
    cell.includes('\r') ||
    cell.startsWith(' ') ||
    cell.endsWith(' ') ||
    // Or readers, ours too, could take it and an apostrophe further on, in another cell even, for quotes.
    cell.startsWith("'");
  return mustQuote ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const pieceLength = 1 << 16;

/** A CSV file of our own columns, in pieces, with formulas neutralised. */
export async function* writeCsv(
  header: readonly string[],
  rows: AsyncIterable<readonly string[]>,
): AsyncGenerator<Buffer> {
  let piece = `${byteOrderMark}${formatRow(header, ',')}\n`;
  for await (const row of rows) {
    piece += `${formatRow(row.map(neutraliseFormula), ',')}\n`;
    if (piece.length < pieceLength) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}
