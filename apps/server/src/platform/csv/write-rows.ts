import { fileWriting, inSlices } from '../limits/loop-share.ts';
import { neutraliseFormula } from './formulas.ts';

/** Some rows of a file. */
export type RowPage = Iterable<readonly string[]>;

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

/** A CSV file of our own columns, page by page, with formulas neutralised. */
export async function* writeCsv(
  header: readonly string[],
  pages: AsyncIterable<RowPage>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${byteOrderMark}${formatRow(header, ',')}\n`);
  for await (const page of pages) {
    yield* writeRows(
      Iterator.from(page).map((row) => row.map(neutraliseFormula)),
      ',',
    );
  }
}

/** Rows as lines of CSV. Rows that are made while they are written may be many and wide: each piece is a slice of its own. */
export const writeRows = (rows: RowPage, delimiter: string): AsyncGenerator<Buffer> =>
  inSlices(fileWriting, piecesOf(rows, delimiter));

const pieceLength = 1 << 16;

function* piecesOf(rows: RowPage, delimiter: string): Generator<Buffer> {
  let piece = '';
  for (const row of rows) {
    piece += `${formatRow(row, delimiter)}\n`;
    if (piece.length < pieceLength) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}
