import { columnsMax } from '../../platform/csv/csv-format.ts';

const cellLengthMax = 100;
/** A table with more columns shows less of each cell, so that the answer stays small. */
const wideTable = { columns: 50, cellLengthMax: 40 };

/** Rows as a confirmation shows them: every column, so that any can be chosen, and of long cells the start. */
export function previewRows(rows: readonly (readonly string[])[]): string[][] {
  const isWide = rows.some((cells) => cells.length > wideTable.columns);
  const lengthMax = isWide ? wideTable.cellLengthMax : cellLengthMax;
  return rows.map((cells) => cells.slice(0, columnsMax).map((cell) => cell.slice(0, lengthMax)));
}
