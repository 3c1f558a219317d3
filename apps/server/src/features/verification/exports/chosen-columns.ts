import { CHOSEN_COLUMNS_MAX, RESULT_COLUMNS } from '@assay/contract';
import { splitLine } from '../../../platform/csv/table-line.ts';
import type { ListLayout } from '../../lists/index.ts';
import type { ExportOrder } from './export-link.ts';

/** Keeps the cells of a written row that the order chooses. */
export type ChooseCells = (row: readonly string[]) => string[];

/** Null if the order wants every column, as nearly all do. Our columns are the last ones of a row. */
export function cellChooser(
  { columns, resultColumns }: Pick<ExportOrder, 'columns' | 'resultColumns'>,
  addedCount: number,
): ChooseCells | null {
  if (columns === undefined && resultColumns === undefined) return null;
  const kept = columns && [...new Set(columns)].filter((column) => column > 0).map((column) => column - 1);
  const added = RESULT_COLUMNS.slice(0, addedCount).flatMap((name, index) =>
    resultColumns === undefined || resultColumns.includes(name) ? [index] : [],
  );
  return (row) => {
    const own = row.slice(0, row.length - addedCount);
    const ours = row.slice(own.length);
    return [
      ...(kept ? kept.map((index) => own[index] ?? '') : own),
      ...added.map((index) => ours[index] ?? ''),
    ];
  };
}

/** The columns of the customer's file, to choose from. */
export function columnsAnswer({ header, delimiter, column_count, email_column }: ListLayout) {
  const names = header === null ? [] : splitLine(header, delimiter);
  const count = Math.min(Math.max(column_count ?? 0, names.length), CHOSEN_COLUMNS_MAX);
  return {
    columns: Array.from({ length: count }, (_, index) => (names[index] ?? '').slice(0, 100)),
    email_column: email_column === null ? null : email_column + 1,
  };
}
