import {
  ADDRESS_FLAGS,
  type AddressFlag,
  COUNTED_EMAILS_MAX,
  type EmailSort,
  type PageQuery,
  type Verdict,
} from '@assay/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { escapePattern } from '../../../platform/database/escape-pattern.ts';
import { numberArray } from '../../../platform/database/number-array.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { flagBit } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { blockRows, searchedRows } from './address-blocks.ts';
import { findDetail } from './evidence.store.ts';
import { isLarge, isPartitionMissing, partitionOf } from './large-lists.ts';

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
export const findListEmails = (db: Db, place: ListPlace, wanted: EmailsWanted): Promise<EmailPage> =>
  findPage(db, place, wanted).catch((error) => {
    // The list was deleted meanwhile.
    throw isPartitionMissing(error) ? new AppError('list_not_found', { listId: place.listId }) : error;
  });

async function findPage(
  db: Db,
  place: ListPlace,
  { filter, sort, page, knownTotal }: EmailsWanted,
): Promise<EmailPage> {
  const isSorted = sort !== 'row' && sort !== '-row';
  if (isSorted && (knownTotal ?? 0) > COUNTED_EMAILS_MAX) throw new AppError('too_many_to_sort');

  const count = page.page_size;
  const offset = (page.page_number - 1) * count;
  const pageRows = sql`limit ${count} offset ${offset}`;
  const direction = sort === '-row' ? 'desc' : 'asc';
  const byRow = sql`order by row.row_number ${sql.raw(direction)}`;
  const matching = await matchingRows(db, place, filter, direction);
  if (knownTotal !== undefined && !isSorted) {
    const isDeep = isLarge(place.listId) && offset > COUNTED_EMAILS_MAX && !filter.verdicts;
    const found = isDeep ? blockRows(place, { direction, offset, count }) : sql`${matching} ${pageRows}`;
    const { rows } = await sql<EmailRow>`${selectEmails(place, sql`array(${found})`)} ${byRow}`.execute(db);
    return { rows, total: knownTotal, isTotalExact: true };
  }

  const reach = Math.max(COUNTED_EMAILS_MAX + 1, isSorted ? 0 : offset + count);
  const { total, rowNumbers } = await findMatches(db, {
    matches: sql`${matching} limit ${reach}`,
    wanted: isSorted ? sql`` : pageRows,
  });
  const isTotalExact = total <= COUNTED_EMAILS_MAX;
  if (isSorted && !isTotalExact) throw new AppError('too_many_to_sort');
  const found = sql`${numberArray(rowNumbers)}::int[]`;
  const { rows } = await sql<EmailRow>`
    ${isSorted ? selectSorted(place, found, sort, pageRows) : sql`${selectEmails(place, found)} ${byRow}`}`.execute(
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

function selectSorted(
  place: ListPlace,
  found: RawBuilder<unknown>,
  sort: keyof typeof sortKeys,
  pageRows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const order = sql`order by ${sortKeys[sort]}, row.row_number`;
  if (sort === 'status' || sort === '-status') return sql`${selectEmails(place, found)} ${order} ${pageRows}`;
  // By address, only the rows of the page need their results.
  const ofPage = sql`
    select row.row_number from ${addressesOf(place)} row where row.row_number = any(${found}) ${order} ${pageRows}`;
  return sql`${selectEmails(place, sql`array(${ofPage})`)} ${order}`;
}

export async function findListEmail(db: Db, place: ListPlace, rowNumber: number) {
  const { rows } = await sql<EmailRow & { batch_id: number | null }>`
    ${selectEmails(place, sql`array[${rowNumber}::bigint]`)} and ${isDistinctRow(place)}`.execute(db);
  const [email] = rows;
  return email && { ...email, detail: await findDetail(db, place, email) };
}

// Finds rows and results by their whole key. For a join, the planner may read all of them: it does not know how many
// numbers there are.
const selectEmails = ({ ownerId, listId }: ListPlace, rowNumbers: RawBuilder<unknown>) => sql`
  select row.row_number, row.email_address, result.verdict, result.reason, result.flags, result.mx_provider,
    result.suggestion, result.batch_id
  from list_rows row
  left join lateral (
    select verdict, reason, flags, mx_provider, suggestion, batch_id from list_results result
    where owner_id = ${ownerId} and list_id = ${listId} and result.row_number = row.row_number limit 1
  ) result on true
  where row.owner_id = ${ownerId} and row.list_id = ${listId} and row.row_number = any(${rowNumbers})`;

/** If so few rows have a wanted result, a search looks at their addresses only. */
const fewRows = 30_000;

/** The row numbers of the addresses that match, in the order of rows. Only addresses to verify have results. */
async function matchingRows(
  db: Db,
  place: ListPlace,
  filter: EmailFilter,
  direction: 'asc' | 'desc',
): Promise<RawBuilder<unknown>> {
  const { ownerId, listId } = place;
  const { search } = filter;
  const order = sql.raw(direction);
  const conditions = resultConditions(filter);
  const isWanted = conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined;
  const ofResults = sql`select row_number from ${resultsOf(place)} result where ${isWanted ?? sql`true`}`;
  if (isWanted && !search) return sql`${ofResults} order by row_number ${order}`;

  const isFound = search ? sql`row.email_address ilike ${`%${escapePattern(search)}%`}` : sql`true`;
  const ofRows = sql`select row_number from list_rows row where ${isDistinctRow(place)} and ${isFound}`;
  if (search && isLarge(listId)) {
    const few = isWanted ? await findFew(db, ofResults) : undefined;
    if (few)
      return sql`${ofRows} and row_number = any(${numberArray(few)}::int[]) order by row_number ${order}`;
    return sql`select row_number from ${searchedRows(place, search, isWanted)}
      order by block_number ${order}, row_number ${order}`;
  }
  // A subquery per row stops with the last row that is wanted. A join might read all results first.
  const hasResult = sql`(select ${isWanted ?? sql`true`} from list_results result
    where owner_id = ${ownerId} and list_id = ${listId} and result.row_number = row.row_number)`;
  return sql`${ofRows} and ${isWanted ? hasResult : sql`true`} order by row_number ${order}`;
}

// Conditions for the ids would make PostgreSQL read the rows of a large list, although its indexes have all other columns.
const resultsOf = ({ ownerId, listId }: ListPlace): RawBuilder<unknown> =>
  isLarge(listId)
    ? sql.table(partitionOf('list_results', listId))
    : sql`(select row_number, verdict, reason, flags, mx_provider from list_results
        where owner_id = ${ownerId} and list_id = ${listId})`;

const addressesOf = ({ ownerId, listId }: ListPlace): RawBuilder<unknown> =>
  isLarge(listId)
    ? sql.table(partitionOf('list_rows', listId))
    : sql`(select row_number, email_address from list_rows where owner_id = ${ownerId} and list_id = ${listId})`;

async function findFew(db: Db, matching: RawBuilder<unknown>): Promise<number[] | undefined> {
  const matches = sql`${matching} limit ${fewRows + 1}`;
  const { rowNumbers } = await findMatches(db, { matches, wanted: sql`` });
  return rowNumbers.length <= fewRows ? rowNumbers : undefined;
}

const isDistinctRow = ({ ownerId, listId }: ListPlace) => sql`
  row.owner_id = ${ownerId} and row.list_id = ${listId}
  and row.email_address is not null and row.first_row_number is null`;

function resultConditions({ verdicts, reasons, flags, mxProviders }: EmailFilter): RawBuilder<unknown>[] {
  const isOneOf = (name: string, values: readonly string[]) => {
    const column = sql.ref(`result.${name}`);
    // An index has the rows of one value in order, but not those of several.
    return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${[...values]}::text[])`;
  };
  const bits = flags?.reduce((sum, flag) => sum | flagBit(flag), 0);
  return [
    ...(verdicts ? [isOneOf('verdict', verdicts)] : []),
    ...(reasons ? [isOneOf('reason', reasons)] : []),
    ...(mxProviders ? [isOneOf('mx_provider', mxProviders)] : []),
    ...(bits === undefined ? [] : [sql`result.flags = any(${flagsWithOneOf(bits)}::smallint[])`]),
  ];
}

/** All values that have one of the bits: an index finds values, but no bits. */
const flagsWithOneOf = (bits: number): number[] =>
  Array.from({ length: 2 ** ADDRESS_FLAGS.length }, (_, flags) => flags).filter((flags) => flags & bits);
