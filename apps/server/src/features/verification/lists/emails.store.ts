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
import { AppError } from '../../../platform/errors/index.ts';
import { flagBit } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { findDetail } from './evidence.store.ts';

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
  const matching = matchingRows(place, filter);
  const total = knownTotal ?? (await countUpTo(db, matching, COUNTED_EMAILS_MAX + 1));
  const isTotalExact = knownTotal !== undefined || total <= COUNTED_EMAILS_MAX;
  const isSorted = sort !== 'row' && sort !== '-row';
  if (isSorted && total > COUNTED_EMAILS_MAX) throw new AppError('too_many_to_sort');

  const offset = (page.page_number - 1) * page.page_size;
  const pageRows = sql`limit ${page.page_size} offset ${offset}`;
  const byRow = sql`order by row_number ${sql.raw(sort === '-row' ? 'desc' : 'asc')}`;
  const found = isSorted ? matching : sql`${matching} ${byRow} ${pageRows}`;
  const { rows } = await sql<EmailRow>`
    ${selectEmails(place, sql`(${found})`)}
    ${isSorted ? sql`order by ${sortKeys[sort]}, found.row_number ${pageRows}` : byRow}`.execute(db);
  return { rows, total: Math.min(total, isTotalExact ? total : COUNTED_EMAILS_MAX), isTotalExact };
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

/** The row numbers of the addresses that match. Only addresses to verify have results. */
function matchingRows(place: ListPlace, filter: EmailFilter): RawBuilder<{ row_number: number }> {
  const byResult = resultConditions(filter);
  const isFound = filter.search
    ? sql`row.email_address ilike ${`%${escapePattern(filter.search)}%`}`
    : undefined;
  if (byResult.length === 0) {
    return sql`select row.row_number from list_rows row where ${isDistinctRow(place)} ${and(isFound)}`;
  }
  const { ownerId, listId } = place;
  const rows = sql`join list_rows row
    on row.owner_id = ${ownerId} and row.list_id = ${listId} and row.row_number = result.row_number`;
  return sql`
    select result.row_number from list_results result ${isFound ? rows : sql``}
    where result.owner_id = ${ownerId} and result.list_id = ${listId}
      and ${sql.join(byResult, sql` and `)} ${and(isFound)}`;
}

const isDistinctRow = ({ ownerId, listId }: ListPlace) => sql`
  row.owner_id = ${ownerId} and row.list_id = ${listId}
  and row.email_address is not null and row.first_row_number is null`;

const and = (condition: RawBuilder<unknown> | undefined) => (condition ? sql`and ${condition}` : sql``);

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

async function countUpTo(db: Db, matching: RawBuilder<unknown>, max: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${matching} limit ${max}) matching`.execute(db);
  return rows[0]?.total ?? 0;
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
