import { VERDICTS } from '@assay/contract';
import pg from 'pg';
import { formatTableLine, splitLine, type TableFormat } from '../../../platform/csv/table-line.ts';
import { byteOrderMark } from '../../../platform/csv/write-rows.ts';
import { addedColumns } from '../../uploads/index.ts';
import type { ListLayout } from '../lists/lists.store.ts';
import type { ExportOrder } from './export-link.ts';

/** The reason of a row whose address is malformed: nobody was asked about it. */
export const malformedReason = 'syntax';

/** Which rows of the file one page of an export reads: from the first, up to but without the end. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** What an export writes before its rows. */
export function headOf({ header }: ListLayout, format: TableFormat): string {
  if (header === null) return byteOrderMark;
  const cells = splitLine(header, format.delimiter);
  return `${byteOrderMark}${formatTableLine(cells, addedColumns, format)}\n`;
}

/** The COPY that gives the lines of one page. Its cost depends on the page only, however long the list is. */
export function copyStatement(list: ListLayout, order: ExportOrder, { first, end }: RowRange): string {
  // COPY takes no parameters. What is written into it are two ids, two numbers, one of four delimiters and names of verdicts.
  const owner = pg.escapeLiteral(order.ownerId);
  const listId = pg.escapeLiteral(order.listId);
  const delimiter = pg.escapeLiteral(list.delimiter);
  const verdicts = order.verdicts.map((verdict) => pg.escapeLiteral(verdict)).join(', ');
  const isWanted = VERDICTS.every((verdict) => order.verdicts.includes(verdict))
    ? 'true'
    : `result.verdict in (${verdicts})`;
  // The short texts are put together first, so that the long one is copied once.
  const line = (verdict: string, reason: string) =>
    `row.cells || (${delimiter} || ${verdict} || ${delimiter} || ${reason})`;
  const inRange = (table: string) =>
    `${table}.row_number >= ${Number(first)} and ${table}.row_number < ${Number(end)}`;
  const mine = `row.owner_id = ${owner} and row.list_id = ${listId} and ${inRange('row')}`;
  // The range is said of the results too: PostgreSQL does not conclude it, and would read all results for each page.
  const own = `result.owner_id = row.owner_id and result.list_id = row.list_id
    and result.row_number = row.row_number and ${inRange('result')}`;
  // The limit makes this a look-up by key for each duplicate, never a join with all results.
  const twins = `select verdict, reason from list_results twin
    where twin.owner_id = ${owner} and twin.list_id = ${listId} and twin.row_number = row.first_row_number limit 1`;
  const query =
    order.rows === 'all'
      ? `select ${line(
          "case when row.email_address is null then 'INVALID' else coalesce(result.verdict, twin.verdict, '') end",
          `case when row.email_address is null then ${pg.escapeLiteral(malformedReason)} else coalesce(result.reason, twin.reason, '') end`,
        )} from list_rows row left join list_results result on ${own}
          left join lateral (${twins}) twin on row.first_row_number is not null
         where ${mine} order by row.row_number`
      : `select ${line('result.verdict', 'result.reason')} from list_rows row join list_results result on ${own}
         where ${mine} and ${isWanted} order by row.row_number`;
  return `copy (${query}) to stdout`;
}
