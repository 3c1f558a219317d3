const columnsMax = 50;
const cellLengthMax = 100;

/** Rows as a confirmation shows them: not all columns of a very wide table, and of long cells the start. */
export const previewRows = (rows: readonly (readonly string[])[]): string[][] =>
  rows.map((cells) => cells.slice(0, columnsMax).map((cell) => cell.slice(0, cellLengthMax)));
