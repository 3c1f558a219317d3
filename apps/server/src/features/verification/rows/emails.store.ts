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
import { flagBits } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import type { AddressSearch, FoundPiece } from './address-search.ts';
import { findDetail } from './evidence.store.ts';
import { type FarPages, isFar } from './far-pages.ts';
import { countByKinds } from './kinds.store.ts';
import { isLarge, isPartitionMissing, partitionOf } from './large-lists.store.ts';

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
  /** All addresses of the list. */
  readonly rowCount: number;
  /** The total, if counters of the list know it. */
  readonly knownTotal: number | undefined;
}

interface EmailsParts {
  readonly db: Db;
  readonly addresses: AddressSearch;
  readonly farPages: FarPages;
}

/** One page of the addresses of a list. The caller makes sure that the customer may see the list. */
export const findListEmails = (
  parts: EmailsParts,
  place: ListPlace,
  wanted: EmailsWanted,
): Promise<EmailPage> =>
  findPageInTurn(parts, place, wanted).catch((error) => {
    // The list was deleted meanwhile.
    throw isPartitionMissing(error) ? new AppError('list_not_found', { listId: place.listId }) : error;
  });

/** A search and a far page wait for their turn, the page unless blocks say which rows it has. */
function findPageInTurn(parts: EmailsParts, place: ListPlace, wanted: EmailsWanted): Promise<EmailPage> {
  const find = () => findPage(parts, place, wanted);
  const isNear = !isFar(wanted.page) || isCounted(place, wanted);
  if (!isNear) return parts.farPages.read(place.ownerId, find);
  return wanted.filter.search ? parts.addresses.inTurn(place.ownerId, find) : find();
}

/** Whether a page is of all rows of a large list, in their order. */
const isCounted = ({ listId }: ListPlace, { filter, sort }: EmailsWanted): boolean =>
  isLarge(listId) &&
  !filter.search &&
  resultConditions(filter).length === 0 &&
  (sort === 'row' || sort === '-row');

async function findPage(parts: EmailsParts, place: ListPlace, wanted: EmailsWanted): Promise<EmailPage> {
  const { db } = parts;
  const { filter, sort, page, rowCount } = wanted;
  const conditions = [
    ...resultConditions(filter),
    ...(sort === 'newest' ? [sql`result.verdict is not null`] : []),
  ];
  const isWanted = conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined;
  const wantedCount =
    wanted.knownTotal ??
    (isWanted && isLarge(place.listId) ? await countByKinds(db, place, isWanted) : undefined);
  if (wantedCount === 0) return { rows: [], total: 0, isTotalExact: true };
  const knownTotal = filter.search ? undefined : wantedCount;
  if (sort === 'newest' && isWanted && !filter.search)
    return findNewest(db, place, { isWanted, page, total: knownTotal });
  const isSorted = sort !== 'row' && sort !== '-row';
  if (isSorted && (knownTotal ?? 0) > COUNTED_EMAILS_MAX) throw new AppError('too_many_to_sort');

  const count = page.page_size;
  const offset = (page.page_number - 1) * count;
  const pageRows = limitTo(count, offset);
  const direction = sort === '-row' ? 'desc' : 'asc';
  const byRow = sql`order by row.row_number ${sql.raw(direction)}`;
  const order = { search: filter.search, isWanted, direction } as const;
  if (knownTotal !== undefined && !isSorted) {
    const found =
      isFar(page) && isCounted(place, wanted)
        ? sql`${numberArray(await parts.farPages.rowsAt(place, { direction, offset, count }))}::int[]`
        : sql`array(${matchingRows(place, order)} ${pageRows})`;
    const { rows } = await sql<EmailRow>`${selectEmails(place, found)} ${byRow}`.execute(db);
    return { rows, total: knownTotal, isTotalExact: true };
  }

  const reach = Math.max(COUNTED_EMAILS_MAX + 1, isSorted ? 0 : offset + count);
  const { search } = filter;
  const matches =
    search && isLarge(place.listId)
      ? await searchLarge(parts, place, {
          ...order,
          search,
          reach,
          wantedShare: (wantedCount ?? rowCount) / rowCount,
        })
      : await findMatches(db, sql`${matchingRows(place, order)} ${limitTo(reach)}`);
  const isTotalExact = matches.length <= COUNTED_EMAILS_MAX;
  if (isSorted && !isTotalExact) throw new AppError('too_many_to_sort');
  const found = sql`${numberArray(isSorted ? matches : matches.slice(offset, offset + count))}::int[]`;
  const { rows } = await sql<EmailRow>`
    ${isSorted ? selectSorted(place, found, sort, pageRows) : sql`${selectEmails(place, found)} ${byRow}`}`.execute(
    db,
  );
  return { rows, total: Math.min(matches.length, COUNTED_EMAILS_MAX), isTotalExact };
}

interface NewestWanted {
  readonly isWanted: RawBuilder<unknown>;
  readonly page: PageQuery;
  readonly total: number | undefined;
}

/** The latest results. However many match, the page itself is found by the time of the results. */
async function findNewest(
  db: Db,
  place: ListPlace,
  { isWanted, page: { page_size: count, page_number }, total }: NewestWanted,
): Promise<EmailPage> {
  const matches = sql`select row_number from ${resultsOf(place)} result where ${isWanted}`;
  const order = sql`order by result.checked_at desc, result.row_number desc`;
  const found = sql`${matches} ${order} ${limitTo(count, (page_number - 1) * count)}`;
  const { rows } = await sql<EmailRow>`${selectEmails(place, sql`array(${found})`)}
    order by result.checked_at desc, row.row_number desc`.execute(db);
  if (total !== undefined) return { rows, total, isTotalExact: true };
  const counted = (await findMatches(db, sql`${matches} ${limitTo(COUNTED_EMAILS_MAX + 1)}`)).length;
  return { rows, total: Math.min(counted, COUNTED_EMAILS_MAX), isTotalExact: counted <= COUNTED_EMAILS_MAX };
}

/** In the text of the statement: a plan for any number of rows would read all of them first. */
const limitTo = (count: number, offset = 0) => sql`limit ${sql.lit(count)} offset ${sql.lit(offset)}`;

/** Finds the matches once, for their number and for the page. */
async function findMatches(db: Db, matches: RawBuilder<unknown>): Promise<number[]> {
  // As text: pg takes ten times as long for an array.
  const { rows } = await sql<{ rowNumbers: string }>`
    select array_to_string(array(${matches}), ',') as "rowNumbers"`.execute(db);
  return JSON.parse(`[${rows[0]?.rowNumbers ?? ''}]`);
}

interface LargeSearch extends MatchingOrder {
  readonly search: string;
  /** How many matches are enough. */
  readonly reach: number;
  /** The share of rows with a wanted result. */
  readonly wantedShare: number;
}

/** The row numbers of the addresses of a large list that have a text, and a wanted result. */
async function searchLarge(
  { db, addresses }: EmailsParts,
  place: ListPlace,
  { search, isWanted, direction, reach, wantedShare }: LargeSearch,
): Promise<number[]> {
  const found: number[] = [];
  for await (const piece of addresses.find(place, search, direction)) {
    const matches = isWanted
      ? await keepWanted(db, place, piece, { isWanted, wantedShare })
      : piece.rowNumbers;
    for (const rowNumber of matches) found.push(rowNumber);
    if (found.length >= reach) break;
  }
  return found;
}

/** A result that is looked up costs as much as so many that an index has in a row. */
const resultsPerLookup = 5;

async function keepWanted(
  db: Db,
  place: ListPlace,
  { rowNumbers, from, to }: FoundPiece,
  { isWanted, wantedShare }: { readonly isWanted: RawBuilder<unknown>; readonly wantedShare: number },
): Promise<readonly number[]> {
  if (rowNumbers.length === 0) return rowNumbers;
  const isLookedUp = rowNumbers.length * resultsPerLookup < wantedShare * (to - from);
  const { ownerId, listId } = place;
  const ofPiece = isLookedUp
    ? sql`list_results result where owner_id = ${ownerId} and list_id = ${listId}
        and row_number = any(${numberArray(rowNumbers)}::int[])`
    : sql`${resultsOf(place)} result where row_number >= ${from} and row_number < ${to}`;
  const wanted = new Set(await findMatches(db, sql`select row_number from ${ofPiece} and ${isWanted}`));
  return rowNumbers.filter((rowNumber) => wanted.has(rowNumber));
}

const sortKeys: Readonly<Record<Exclude<EmailSort, 'row' | '-row'>, RawBuilder<unknown>>> = {
  // By the codes of letters, because a locale's order takes three times as long.
  email: sql`lower(row.email_address) collate "C"`,
  '-email': sql`lower(row.email_address) collate "C" desc`,
  status: sql`array_position(${sql.lit('{VALID,INVALID,CATCH_ALL,UNKNOWN}')}::text[], result.verdict)`,
  '-status': sql`array_position(${sql.lit('{VALID,INVALID,CATCH_ALL,UNKNOWN}')}::text[], result.verdict) desc nulls last`,
  newest: sql`result.checked_at desc nulls last`,
};

/** Sorts by what the order needs, and reads the rest for the rows of the page only. */
function selectSorted(
  place: ListPlace,
  found: RawBuilder<unknown>,
  sort: keyof typeof sortKeys,
  pageRows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const order = sql`order by ${sortKeys[sort]}, row.row_number`;
  const isByAddress = sort === 'email' || sort === '-email';
  const sorted = isByAddress
    ? sql`${addressesOf(place)} row where row.row_number = any(${found})`
    : sql`unnest(${found}) row (row_number) left join lateral (
        select verdict, checked_at from list_results result
        where owner_id = ${place.ownerId} and list_id = ${place.listId} and result.row_number = row.row_number limit 1
      ) result on true`;
  const ofPage = sql`select row.row_number from ${sorted} ${order} ${pageRows}`;
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
    select row_number, verdict, reason, flags, mx_provider, suggestion, batch_id, checked_at from list_results result
    where owner_id = ${ownerId} and list_id = ${listId} and result.row_number = row.row_number limit 1
  ) result on true
  where row.owner_id = ${ownerId} and row.list_id = ${listId} and row.row_number = any(${rowNumbers})`;

interface MatchingOrder {
  readonly search: string | undefined;
  /** A condition for the `result` of a row. Only addresses to verify have results. */
  readonly isWanted: RawBuilder<unknown> | undefined;
  readonly direction: 'asc' | 'desc';
}

/** The row numbers of the addresses that match, in the order of rows. Large lists are searched otherwise. */
function matchingRows(place: ListPlace, { search, isWanted, direction }: MatchingOrder): RawBuilder<unknown> {
  const order = sql.raw(direction);
  if (isWanted && !search)
    return sql`select row_number from ${resultsOf(place)} result where ${isWanted} order by row_number ${order}`;

  const { ownerId, listId } = place;
  const isFound = search ? sql`row.email_address ilike ${`%${escapePattern(search)}%`}` : sql`true`;
  // A subquery per row stops with the last row that is wanted. A join might read all results first.
  const hasResult = sql`(select ${isWanted ?? sql`true`} from list_results result
    where owner_id = ${ownerId} and list_id = ${listId} and result.row_number = row.row_number)`;
  return sql`
    select row_number from list_rows row where ${isDistinctRow(place)} and ${isFound}
      and ${isWanted ? hasResult : sql`true`}
    order by row_number ${order}`;
}

// Conditions for the ids would make PostgreSQL read the rows of a large list, although its indexes have all other columns.
const resultsOf = ({ ownerId, listId }: ListPlace): RawBuilder<unknown> =>
  isLarge(listId)
    ? sql.table(partitionOf('list_results', listId))
    : sql`(select row_number, verdict, reason, flags, mx_provider, checked_at from list_results
        where owner_id = ${ownerId} and list_id = ${listId})`;

const addressesOf = ({ ownerId, listId }: ListPlace): RawBuilder<unknown> =>
  isLarge(listId)
    ? sql.table(partitionOf('list_rows', listId))
    : sql`(select row_number, email_address from list_rows where owner_id = ${ownerId} and list_id = ${listId})`;

const isDistinctRow = ({ ownerId, listId }: ListPlace) => sql`
  row.owner_id = ${ownerId} and row.list_id = ${listId}
  and row.email_address is not null and row.first_row_number is null`;

function resultConditions({ verdicts, reasons, flags, mxProviders }: EmailFilter): RawBuilder<unknown>[] {
  const isOneOf = (name: string, values: readonly string[]) => {
    const column = sql.ref(`result.${name}`);
    // An index has the rows of one value in order, but not those of several.
    return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${[...values]}::text[])`;
  };
  return [
    ...(verdicts ? [isOneOf('verdict', verdicts)] : []),
    ...(reasons ? [isOneOf('reason', reasons)] : []),
    ...(mxProviders ? [isOneOf('mx_provider', mxProviders)] : []),
    // In the text of the statement: PostgreSQL uses the index without zeros only if it sees that none is asked for.
    ...(flags ? [sql`result.flags = any(${sql.lit(numberArray(bitsWithOneOf(flags)))}::smallint[])`] : []),
  ];
}

/** All values that have one of the bits: an index finds values, but no bits. */
const bitsWithOneOf = (flags: readonly AddressFlag[]): number[] =>
  [...Array(2 ** ADDRESS_FLAGS.length).keys()].filter((bits) => bits & flagBits(flags));
