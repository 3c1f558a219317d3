/** Formats rows as lines, each column as wide as its longest cell. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Puts text on one line and removes control characters: terminals obey them, and strangers wrote some of these texts. */
export const printable = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
