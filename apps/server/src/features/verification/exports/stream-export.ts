import { to as copyTo } from 'pg-copy-streams';
import { splitLine } from '../../../platform/csv/table-line.ts';
import { byteOrderMark, formatRow, type RowPage, writeRows } from '../../../platform/csv/write-rows.ts';
import type { ConnectionSource, Reading } from '../../../platform/database/reads.ts';
import type { FairQueue } from '../../../platform/limits/fair-queue.ts';
import { pageReading } from '../../../platform/limits/loop-share.ts';
import { writeXlsx } from '../../../platform/workbooks/write-xlsx.ts';
import { findLastRow } from '../rows/rows.store.ts';
import { cellChooser } from './chosen-columns.ts';
import type { ExportLayout } from './export-layout.ts';
import type { ExportOrder } from './export-link.ts';
import { addedTo, beginPage, copyStatement, headOf, type RowRange } from './export-rows.store.ts';
import { type ExportFormat, rowsOfPage } from './format-page.ts';
import { unescapePage } from './unescape-copy.ts';

/** A page about this long costs few queries, and keeps the database and this process busy for some milliseconds only. */
const pageBytesAimed = 400_000;
/** A longer page is read again in smaller ones. A single row always fits, since its file was read row by row too. */
const pageBytesMax = 8_000_000;
const pageRowsAtFirst = 500;
const pageRowsMax = 50_000;

/** The pieces that the database sent. */
type Page = Buffer[];

interface ExportParts {
  readonly reading: Reading;
  /** Gives the pages to customers in turn. */
  readonly pageTurns: FairQueue;
  /** Throws when the list is gone. */
  readonly requireList: () => Promise<unknown>;
}

/**
 * The customer's own rows with our columns added, page by page. A page stays in memory while it is sent, so that a
 * slow client never holds a database connection. Results never change, so the pages of a finished list are consistent.
 *
 * Rows are removed only after their list. If the list still exists after a page was read, the page is complete; otherwise
 * the download fails, so that a truncated file never looks complete.
 */
export async function* streamExport(
  parts: ExportParts,
  list: ExportLayout,
  order: ExportOrder,
): AsyncGenerator<Buffer> {
  const format = formatOf(list, order);
  const head = chosenHead(list, format);
  if (order.format === 'xlsx') {
    return yield* writeXlsx(exportedPages(parts, list, order), { hasHeader: head !== null });
  }
  yield Buffer.from(head === null ? byteOrderMark : `${byteOrderMark}${formatRow(head, format.delimiter)}\n`);
  for await (const page of readAhead(parts, list, order)) {
    const isReadyMade = list.is_even && format.choose === null;
    if (isReadyMade) yield* unescapePage(page);
    else yield* writeRows(rowsOfPage(Buffer.concat(page), format), format.delimiter);
  }
}

async function* exportedPages(
  parts: ExportParts,
  list: ExportLayout,
  order: ExportOrder,
): AsyncGenerator<RowPage> {
  const format = formatOf(list, order);
  const head = chosenHead(list, format);
  if (head !== null) yield [head];
  for await (const page of readAhead(parts, list, order)) yield rowsOfPage(Buffer.concat(page), format);
}

/** Reads the next page while the client receives this one. */
async function* readAhead(parts: ExportParts, list: ExportLayout, order: ExportOrder): AsyncGenerator<Page> {
  const pages = readPages(parts, list, order);
  let next = pages.next();
  for (;;) {
    const { value: page, done } = await next;
    if (done) return;
    next = pages.next();
    next.catch(() => undefined);
    yield page;
  }
}

async function* readPages(
  { reading, pageTurns, requireList }: ExportParts,
  list: ExportLayout,
  order: ExportOrder,
): AsyncGenerator<Page, undefined> {
  const end = (await reading.read(({ db }) => findLastRow(db, order))) + 1;
  let rowCount = pageRowsAtFirst;
  let first = 0;
  while (first < end) {
    const range = { first, end: Math.min(first + rowCount, end) };
    const page = await pageTurns.run(order.ownerId, () =>
      pageReading.slice(() => reading.read(({ pool }) => readPage(pool, list, order, range))),
    );
    if (page === 'too long') {
      rowCount = Math.ceil(rowCount / 2);
      continue;
    }
    await requireList();
    if (page.length > 0) yield page;
    first = range.end;
    rowCount = nextRowCount(rowCount, byteCountOf(page));
  }
}

function chosenHead(list: ExportLayout, format: ExportFormat): string[] | null {
  const head = headOf(list, format);
  return head && format.choose ? format.choose(head) : head;
}

/** Lists that are older than the column count use the width of their header. */
const formatOf = (list: ExportLayout, order: ExportOrder): ExportFormat => ({
  delimiter: list.delimiter,
  columnCount: list.column_count ?? splitLine(list.header ?? '', list.delimiter).length,
  emailColumn: list.email_column,
  formulas: order.formulas,
  addedCount: addedTo(list).length,
  choose: cellChooser(order, addedTo(list).length),
});

/** Enough rows to fill a page, judging by the last page; at most twice as many as before, because rows differ. */
function nextRowCount(rowCount: number, byteCount: number): number {
  const fitting = Math.floor((rowCount * pageBytesAimed) / Math.max(byteCount, 1));
  return Math.max(1, Math.min(fitting, rowCount * 2, pageRowsMax));
}

const byteCountOf = (page: Page): number => page.reduce((sum, piece) => sum + piece.length, 0);

/** Holds a connection only while the database answers, not while the client reads. */
async function readPage(
  pool: ConnectionSource,
  list: ExportLayout,
  order: ExportOrder,
  range: RowRange,
): Promise<Page | 'too long'> {
  const client = await pool.connect();
  let isWhole = false;
  try {
    const pieces: Page = [];
    let byteCount = 0;
    await client.query(beginPage);
    for await (const piece of client.query(copyTo(copyStatement(list, order, range)))) {
      byteCount += piece.length;
      if (byteCount > pageBytesMax && range.end - range.first > 1) return 'too long';
      pieces.push(piece);
    }
    await client.query('commit');
    isWhole = true;
    return pieces;
  } finally {
    // An interrupted COPY leaves its connection unusable.
    client.release(!isWhole);
  }
}
