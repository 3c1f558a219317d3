import { Readable } from 'node:stream';
import { GUESS_OUTCOMES, type GuessOutcome } from '@assay/contract';
import * as z from 'zod/mini';
import { splitLine, tableRow } from '../../../platform/csv/table-line.ts';
import { byteOrderMark, formatRow } from '../../../platform/csv/write-rows.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { sheetColumnsMax, writeXlsx } from '../../../platform/workbooks/write-xlsx.ts';
import { exportName, exportOrderFields } from '../../lists/index.ts';
import { guessedColumn, notGuessed, resultColumns } from '../../uploads/index.ts';
import { findLayout, findRowsToExport } from './guess-lists.store.ts';

/** The order that a link to a guessed file carries. */
export const guessExportSchema = z.strictObject({
  ...exportOrderFields,
  outcomes: z.array(z.enum(GUESS_OUTCOMES)),
});
export type GuessExport = z.output<typeof guessExportSchema>;

const addedColumns = [guessedColumn, ...resultColumns];
const outcomeWords: Readonly<Record<GuessOutcome, string>> = {
  FOUND: 'found',
  CATCH_ALL: 'catch-all',
  NOT_FOUND: 'not found',
  UNKNOWN: 'unknown',
};

export const guessExportName = (listName: string, { outcomes, rows }: GuessExport): string =>
  exportName(
    listName,
    { chosen: outcomes, rows },
    { rows: 'people', outcomes: outcomeWords, chosenRows: (outcomeText) => outcomeText },
  );

/** The customer's own rows with address, result and reason added. */
export async function exportPeople(db: Db, order: GuessExport): Promise<string | AsyncIterable<Buffer>> {
  const { delimiter, header } = await findLayout(db, order);
  const rows = await findRowsToExport(db, order);
  const wanted = new Set<GuessOutcome | null>(order.outcomes);
  const chosen =
    order.rows === 'all'
      ? rows
      : rows.filter((row) => row.row_number === row.person_row_number && wanted.has(row.outcome));
  const cellsOf = (line: string) => splitLine(line, delimiter);
  const lines = [...(header === null ? [] : [header]), ...rows.map(({ cells }) => cells)];
  const columnCount = lines.reduce((widest, line) => Math.max(widest, cellsOf(line).length), 0);
  if (order.format === 'xlsx' && columnCount > sheetColumnsMax - addedColumns.length) {
    throw new AppError('list_too_wide', { listId: order.listId });
  }
  const format = { delimiter, columnCount, formulas: order.formulas };
  const line = (cells: string, added: readonly string[]) => tableRow(cellsOf(cells), added, format);
  const head = header === null ? [] : [line(header, addedColumns)];
  const body = chosen.map(({ cells, problem, outcome, email_address, reason }) =>
    problem === null
      ? line(cells, [email_address ?? '', outcome ?? '', outcome === null ? '' : (reason ?? '')])
      : line(cells, ['', notGuessed, problem]),
  );
  const table = [...head, ...body];
  if (order.format === 'xlsx') return writeXlsx(Readable.from([table]), { hasHeader: header !== null });
  return byteOrderMark + table.map((row) => `${formatRow(row, delimiter)}\n`).join('');
}
