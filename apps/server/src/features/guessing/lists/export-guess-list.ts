import { GUESS_OUTCOMES, type GuessOutcome } from '@assay/contract';
import * as z from 'zod/mini';
import { countCells, splitLine, type TableFormat, tableRow } from '../../../platform/csv/table-line.ts';
import { byteOrderMark, type RowPage, writeRows } from '../../../platform/csv/write-rows.ts';
import type { Reading } from '../../../platform/database/reads.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { fileWriting, inSlices } from '../../../platform/limits/loop-share.ts';
import { sheetColumnsMax, writeXlsx } from '../../../platform/workbooks/write-xlsx.ts';
import { exportName, exportOrderFields, type ListLayout } from '../../lists/index.ts';
import { guessedColumn, notGuessed, resultColumns } from '../../uploads/index.ts';
import { findRowsToExport, type RowToExport } from './guess-lists.store.ts';
import { peopleLists } from './people-lists.ts';

/** The order that a link to a guessed file carries. */
export const guessExportSchema = z.strictObject({
  ...exportOrderFields,
  outcomes: z.array(z.enum(GUESS_OUTCOMES)),
});
export type GuessExport = z.output<typeof guessExportSchema>;

const pageLength = 100;
const countedLength = 1 << 18;
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

/**
 * The customer's own rows with address, result and reason added, page by page. No database connection is held while the client
 * reads.
 */
export async function exportPeople(
  reading: Reading,
  order: GuessExport,
  signal?: AbortSignal,
): Promise<AsyncGenerator<Buffer>> {
  const layout = await reading.read(({ db }) => peopleLists.store.findLayout(db, order));
  const format = {
    ...layout,
    formulas: order.formulas,
    columnCount: await countColumns(reading, order, layout, signal),
  };
  const isSheet = order.format === 'xlsx';
  if (isSheet && format.columnCount > sheetColumnsMax - addedColumns.length) {
    throw new AppError('list_too_wide', { listId: order.listId });
  }
  const pages = tablePages(reading, order, format);
  return isSheet ? writeXlsx(pages, { hasHeader: layout.header !== null }) : writeTable(pages, layout);
}

async function* writeTable(
  pages: AsyncIterable<RowPage>,
  { delimiter }: Pick<ListLayout, 'delimiter'>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark);
  for await (const page of pages) yield* writeRows(page, delimiter);
}

/** A row is split when it is written, because the cells of a whole page take much time and memory. */
async function* tablePages(
  reading: Reading,
  order: GuessExport,
  format: ListLayout & TableFormat,
): AsyncGenerator<RowPage> {
  const table = (cells: string, added: readonly string[]) =>
    tableRow(splitLine(cells, format.delimiter), added, format);
  if (format.header !== null) yield [table(format.header, addedColumns)];
  const wanted = new Set<GuessOutcome | null>(order.outcomes);
  for await (const rows of pagesOf(reading, order)) {
    const chosen =
      order.rows === 'all'
        ? rows
        : rows.filter((row) => row.row_number === row.person_row_number && wanted.has(row.outcome));
    yield chosen
      .values()
      .map(({ cells, problem, outcome, email_address, reason }) =>
        problem === null
          ? table(cells, [email_address ?? '', outcome ?? '', outcome === null ? '' : (reason ?? '')])
          : table(cells, ['', notGuessed, problem]),
      );
  }
}

/** The columns of the widest row. */
async function countColumns(
  reading: Reading,
  order: GuessExport,
  { header, delimiter }: ListLayout,
  signal: AbortSignal | undefined,
): Promise<number> {
  let widest = header === null ? 0 : countCells(header, delimiter);
  for await (const rows of pagesOf(reading, order)) {
    signal?.throwIfAborted();
    for await (const width of inSlices(fileWriting, widthsOf(rows, delimiter)))
      widest = Math.max(widest, width);
  }
  return widest;
}

/** The widest of every few rows. One page may hold nearly all of the file's text. */
function* widthsOf(rows: readonly { readonly cells: string }[], delimiter: string): Generator<number> {
  let [widest, length] = [0, 0];
  for (const { cells } of rows) {
    widest = Math.max(widest, countCells(cells, delimiter));
    length += cells.length;
    if (length < countedLength) continue;
    yield widest;
    length = 0;
  }
  yield widest;
}

/** Rows are removed together with their list, so a page is complete if the list is still there behind it. */
async function* pagesOf(reading: Reading, order: GuessExport): AsyncGenerator<RowToExport[]> {
  for (let from = 0; ; ) {
    const rows = await reading.read(async ({ db }) => {
      const page = await findRowsToExport(db, order, { from, limit: pageLength });
      await peopleLists.answers.require(db, order);
      return page;
    });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageLength) return;
    from = last.row_number + 1;
  }
}
