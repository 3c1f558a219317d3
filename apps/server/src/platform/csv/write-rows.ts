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
