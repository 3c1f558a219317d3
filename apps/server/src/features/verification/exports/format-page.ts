import { splitLine, type TableFormat, tableRow } from '../../../platform/csv/table-line.ts';
import { addedColumns, noEmail } from '../../uploads/index.ts';
import { isBlankCell } from '../files/messy-cell.ts';
import type { ChooseCells } from './chosen-columns.ts';
import { malformedReason } from './export-rows.store.ts';
import { unescapeText } from './unescape-copy.ts';

export interface ExportFormat extends TableFormat {
  /** Null for lists that are older than this column. */
  readonly emailColumn: number | null;
  /** How many columns we add. */
  readonly addedCount: number;
  /** Null for all columns. */
  readonly choose: ChooseCells | null;
}

const withoutEmail = addedColumns.map((column) =>
  column in noEmail ? noEmail[column as keyof typeof noEmail] : '',
);

/** The rows of a page of COPY lines. Each line is a row of the customer's with the columns that we add. */
export function* rowsOfPage(page: Buffer, format: ExportFormat): Generator<string[]> {
  for (const line of page.toString().split('\n')) {
    if (line !== '') yield rowOfLine(unescapeText(line), format);
  }
}

function rowOfLine(line: string, format: ExportFormat): string[] {
  const cells = splitLine(line, format.delimiter);
  const added = cells.splice(-format.addedCount);
  const isWithoutEmail =
    format.emailColumn !== null &&
    added[1] === malformedReason &&
    isBlankCell(cells[format.emailColumn] ?? '');
  const row = tableRow(
    cells,
    isWithoutEmail ? added.map((_, index) => withoutEmail[index] ?? '') : added,
    format,
  );
  return format.choose ? format.choose(row) : row;
}
