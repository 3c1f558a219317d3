import {
  type AddressFlag,
  COUNTED_EMAILS_MAX,
  type EmailSort,
  type PageQuery,
  SUMMARY_PROVIDERS_MAX,
  type Verdict,
} from '@assay/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { escapePattern } from '../../../platform/database/escape-pattern.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { flagBit } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { searchedRows } from './address-blocks.ts';
import { findDetail } from './evidence.store.ts';
import { isLarge } from './large-lists.ts';

/** Values of one filter are alternatives; an address must match all filters. */
export interface EmailFilter {
  readonly search?: string | undefined;
  readonly verdicts?: readonly Verdict[] | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly flags?: readonly AddressFlag[] | undefined;
  readonly mxProviders?: readonly string[] | undefined;
}

export interface EmailRow {
  readonly row_number: number;
  readonly email_address: string;
  readonly verdict: Verdict | null;
  readonly reason: string | null;
  readonly flags: number | null;
  readonly mx_provider: string | null;
  readonly suggestion: string | null;
}

interface EmailPage {
  readonly rows: EmailRow[];
  readonly total: number;
  /** False if there are more than `total`. */
  readonly isTotalExact: boolean;
}

interface EmailsWanted {
  readonly filter: EmailFilter;
  readonly sort: EmailSort;
  readonly page: PageQuery;
  /** The total, if counters know it. */
  readonly knownTotal: number | undefined;
}

/** One page of the addresses of a list. The caller makes sure that the customer may see the list. */
export async function findListEmails(
  db: Db,
  place: ListPlace,
  { filter, sort, page, knownTotal }: EmailsWanted,
): Promise<EmailPage> {
  const isSorted = sort !== 'row' && sort !== '-row';
  const offset = (page.page_number - 1) * page.page_size;
  const pageRows = sql`limit ${page.page_size} offset ${offset}`;
  const direction = sql.raw(sort === '-row' ? 'desc' : 'asc');
  const matching = matchingRows(place, filter, direction);
  if (knownTotal !== undefined && !isSorted) {
    const found = sql`(${matching} ${pageRows})`;
    const { rows } = await sql<EmailRow>`
      ${selectEmails(place, found)} order by row_number ${direction}`.execute(db);
    return { rows, total: knownTotal, isTotalExact: true };
  }
  if (knownTotal !== undefined && knownTotal > COUNTED_EMAILS_MAX) throw new AppError('too_many_to_sort');

  const reach = Math.max(COUNTED_EMAILS_MAX + 1, isSorted ? 0 : offset + page.page_size);
  const { total, rowNumbers } = await findMatches(db, {
    matches: sql`${matching} limit ${reach}`,
    wanted: isSorted ? sql`` : pageRows,
  });
  const isTotalExact = total <= COUNTED_EMAILS_MAX;
  if (isSorted && !isTotalExact) throw new AppError('too_many_to_sort');
  const found = sql`(select unnest(${numberArray(rowNumbers)}::int[]) as row_number)`;
  const { rows } = await sql<EmailRow>`
    ${selectEmails(place, found)}
    ${isSorted ? sql`order by ${sortKeys[sort]}, found.row_number ${pageRows}` : sql`order by row_number ${direction}`}`.execute(
    db,
  );
  return { rows, total: Math.min(total, COUNTED_EMAILS_MAX), isTotalExact };
}

/** Finds the matches once, for their number and for the wanted ones. */
async function findMatches(
  db: Db,
  { matches, wanted }: { readonly matches: RawBuilder<unknown>; readonly wanted: RawBuilder<unknown> },
): Promise<{ total: number; rowNumbers: number[] }> {
  const { rows } = await sql<{ total: number; rowNumbers: number[] }>`
    with matches as materialized (${matches})
    select (select count(*) from matches) as total,
      array(select row_number from matches ${wanted}) as "rowNumbers"`.execute(db);
  return rows[0] ?? { total: 0, rowNumbers: [] };
}

const sortKeys: Readonly<Record<Exclude<EmailSort, 'row' | '-row'>, RawBuilder<unknown>>> = {
  email: sql`lower(row.email_address)`,
  '-email': sql`lower(row.email_address) desc`,
  status: sql`array_position(${sql.lit('{VALID,INVALID,CATCH_ALL,UNKNOWN}')}::text[], result.verdict)`,
  '-status': sql`array_position(${sql.lit('{VALID,INVALID,CATCH_ALL,UNKNOWN}')}::text[], result.verdict) desc nulls last`,
};

export async function findListEmail(db: Db, place: ListPlace, rowNumber: number) {
  const one = sql`(
    select row_number from list_rows row where ${isDistinctRow(place)} and row_number = ${rowNumber})`;
  const { rows } = await sql<EmailRow & { batch_id: number | null }>`${selectEmails(place, one)}`.execute(db);
  const [email] = rows;
  return email && { ...email, detail: await findDetail(db, place, email) };
}

const selectEmails = ({ ownerId, listId }: ListPlace, found: RawBuilder<unknown>) => sql`
  select row.row_number, row.email_address, result.verdict, result.reason, result.flags, result.mx_provider,
    result.suggestion, result.batch_id
  from ${found} found
  join list_rows row
    on row.owner_id = ${ownerId} and row.list_id = ${listId} and row.row_number = found.row_number
  left join list_results result
    on result.owner_id = ${ownerId} and result.list_id = ${listId} and result.row_number = found.row_number`;

/** The row numbers of the addresses that match, in the order of rows. Only addresses to verify have results. */
function matchingRows(
  place: ListPlace,
  filter: EmailFilter,
  direction: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { ownerId, listId } = place;
  const byResult = resultConditions(filter);
  const { search } = filter;
  if (!search && byResult.length > 0) {
    return sql`
      select row_number from list_results result
      where owner_id = ${ownerId} and list_id = ${listId} and ${sql.join(byResult, sql` and `)}
      order by row_number ${direction}`;
  }
  // A subquery per row stops with the last row that is wanted. A join might read all results first.
  const hasResult = sql`(
    select ${sql.join(byResult, sql` and `)} from list_results result
    where result.owner_id = ${ownerId} and result.list_id = ${listId} and result.row_number = row.row_number)`;
  const isWanted = byResult.length > 0 ? hasResult : sql`true`;
  if (search && isLarge(listId)) {
    return sql`
      select row_number from ${searchedRows(place, search)} where ${isWanted}
      order by block_number ${direction}, row_number ${direction}`;
  }
  const isFound = search ? sql`row.email_address ilike ${`%${escapePattern(search)}%`}` : sql`true`;
  return sql`
    select row_number from list_rows row where ${isDistinctRow(place)} and ${isFound} and ${isWanted}
    order by row_number ${direction}`;
}

const isDistinctRow = ({ ownerId, listId }: ListPlace) => sql`
  row.owner_id = ${ownerId} and row.list_id = ${listId}
  and row.email_address is not null and row.first_row_number is null`;

function resultConditions({ verdicts, reasons, flags, mxProviders }: EmailFilter): RawBuilder<unknown>[] {
  const isOneOf = (column: string, values: readonly string[]) =>
    sql`${sql.ref(`result.${column}`)} = any(${[...values]}::text[])`;
  const bits = flags?.reduce((sum, flag) => sum | flagBit(flag), 0);
  return [
    ...(verdicts ? [isOneOf('verdict', verdicts)] : []),
    ...(reasons ? [isOneOf('reason', reasons)] : []),
    ...(mxProviders ? [isOneOf('mx_provider', mxProviders)] : []),
    ...(bits === undefined ? [] : [sql`result.flags & ${bits}::smallint > 0`]),
  ];
}

/** How often each kind of result occurs. There are few kinds: their parts are summed up here. */
export async function findKinds(db: Db, { ownerId, listId }: ListPlace) {
  const kinds = db.selectFrom('list_results').where('owner_id', '=', ownerId).where('list_id', '=', listId);
  const reasons = await kinds
    .select(['verdict', 'reason', 'flags', (result) => result.fn.countAll<number>().as('emails')])
    .groupBy(['verdict', 'reason', 'flags'])
    .execute();
  const mxProviders = await kinds
    .select(['mx_provider', (result) => result.fn.countAll<number>().as('emails')])
    .where('mx_provider', 'is not', null)
    .groupBy('mx_provider')
    .orderBy('emails', 'desc')
    .orderBy('mx_provider')
    .limit(SUMMARY_PROVIDERS_MAX)
    .$narrowType<{ mx_provider: string }>()
    .execute();
  return { reasons, mxProviders };
}
