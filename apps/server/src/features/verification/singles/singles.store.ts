import type { PageQuery, Verdict } from '@assay/contract';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { escapePattern } from '../../../platform/database/escape-pattern.ts';
import { findPage } from '../../../platform/database/find-page.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { type StoredFinding, suppressed } from '../../engine/index.ts';
import type { OldWork } from '../../lists/index.ts';
import { isSuppressed } from '../../suppressions/index.ts';
import type { StoredWait } from '../verification.tables.ts';

const listed = [
  'id',
  'email_address',
  'status',
  'verdict',
  'reason',
  'is_sandbox',
  'wait',
  'created_at',
] as const;

type StoredSingle = Selectable<Tables['single_validations']>;
export type ListedSingle = Pick<StoredSingle, (typeof listed)[number]>;
export type SingleRow = ListedSingle & Pick<StoredSingle, 'detail'>;

export interface SinglePlace {
  readonly ownerId: AccountId;
  readonly validationId: string;
}

/** Finds checks of any customers with one statement. */
export async function findSinglesAt<Place extends SinglePlace>(
  db: Db,
  places: readonly Place[],
): Promise<Map<Place, SingleRow>> {
  const ownerIds = places.map(({ ownerId }) => ownerId);
  const ids = places.map(({ validationId }) => validationId);
  // The limit keeps one search in the index per check, whatever PostgreSQL thinks of their number.
  const { rows } = await sql<SingleRow & { place: number }>`
    select place::int, single.id, email_address, status, verdict, reason, is_sandbox, wait, created_at, detail
    from unnest(${ownerIds}::uuid[], ${ids}::uuid[]) with ordinality as wanted (owner_id, id, place)
      cross join lateral (
        select id, email_address, status, verdict, reason, is_sandbox, wait, created_at, detail from single_validations
        where single_validations.owner_id = wanted.owner_id and single_validations.id = wanted.id limit 1
      ) as single`.execute(db);
  return new Map(rows.map(({ place, ...single }) => [places[place - 1] as Place, single]));
}

/** Whether this API key started the check. */
export async function isStartedBy(
  db: Db,
  ownerId: AccountId,
  id: string,
  apiKeyId: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('single_validations')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('api_key_id', '=', apiKeyId)
    .executeTakeFirst();
  return found !== undefined;
}

export interface SinglesFilter {
  readonly search?: string | undefined;
  readonly verdicts?: readonly Verdict[] | undefined;
  readonly isSandboxOnly?: boolean | undefined;
}

export function findSingles(db: Db, ownerId: AccountId, filter: SinglesFilter, page: PageQuery) {
  const newestFirst = matchingSingles(db, ownerId, filter)
    .select(listed)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return findPage(newestFirst, page);
}

const matchingSingles = (
  db: Db,
  ownerId: AccountId,
  { search = '', verdicts, isSandboxOnly }: SinglesFilter,
) =>
  db
    .selectFrom('single_validations')
    .where('owner_id', '=', ownerId)
    .$if(search !== '', (query) => query.where('email_address', 'ilike', `%${escapePattern(search)}%`))
    .$if(verdicts !== undefined, (query) => query.where('verdict', 'in', [...(verdicts ?? [])]))
    .$if(isSandboxOnly === true, (query) => query.where('is_sandbox', '=', true));

/** The next complete checks behind `last`, newest first. */
export function findSinglesToExport(
  db: Db,
  ownerId: AccountId,
  filter: SinglesFilter,
  {
    last,
    limit,
  }: { readonly last: Pick<SingleRow, 'created_at' | 'id'> | undefined; readonly limit: number },
) {
  return matchingSingles(db, ownerId, filter)
    .select([...listed, 'detail'])
    .where('status', '=', 'COMPLETE')
    .$if(last !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${last?.created_at}::timestamptz, ${last?.id}::uuid)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The deleted check, so that a running one can be settled. */
export function removeSingle(tx: Tx, ownerId: AccountId, id: string) {
  return tx
    .deleteFrom('single_validations')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning(['status', 'is_sandbox', 'created_at'])
    .executeTakeFirst();
}

export async function countOldSingles(db: Db, { ownerId, before }: OldWork): Promise<number> {
  const { count } = await db
    .selectFrom('single_validations')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow();
  return count;
}

/** Some of the checks that were created before a moment. */
export async function removeOldSingles(tx: Tx, { ownerId, before }: OldWork, limit: number) {
  const { rows } = await sql<Pick<ListedSingle, 'id' | 'status' | 'is_sandbox' | 'created_at'>>`
    delete from single_validations where owner_id = ${ownerId} and id in (
      select id from single_validations where owner_id = ${ownerId} and created_at < ${before}
      order by id limit ${limit} for update)
    returning id, status, is_sandbox, created_at`.execute(tx);
  return rows;
}

/** Locks the checks of a customer that run. */
export const lockOpenSingles = (tx: Tx, ownerId: AccountId) =>
  tx
    .selectFrom('single_validations')
    .select(['id', 'is_sandbox'])
    .where('owner_id', '=', ownerId)
    .where('status', '<>', 'COMPLETE')
    .orderBy('id')
    .forUpdate()
    .execute();

interface NewSingleRow {
  readonly id: string;
  readonly emailAddress: string;
  readonly domain: string;
  /** The address as suppressions compare it; null if it is asked whatever is suppressed. */
  readonly target: string | null;
}

export type InsertedSingle = Pick<StoredSingle, 'id' | 'verdict' | 'reason' | 'status'>;

export interface NewSingles {
  readonly ownerId: AccountId;
  readonly singles: readonly NewSingleRow[];
  readonly isSandbox: boolean;
  readonly apiKeyId: string | null;
  readonly now: Date;
}

/**
 * Inserts checks of one customer with one statement, except those that exist. Those whose address is suppressed are complete at once. One
 * statement for both, because a single check has few of them: see docs/decisions/singles-together.md.
 */
export async function insertSingles(tx: Tx, { singles, ...common }: NewSingles): Promise<InsertedSingle[]> {
  const { ownerId, now } = common;
  const isLeftOut = isSuppressed(ownerId, { address: sql`single.target`, domain: sql`single.domain` }, now);
  const { rows } = await sql<InsertedSingle>`
    insert into single_validations (owner_id, id, email_address, status, verdict, reason, is_sandbox, api_key_id, created_at, completed_at)
    select ${ownerId}, id, email_address, case when is_left_out then 'COMPLETE' else 'PENDING' end,
      case when is_left_out then 'UNKNOWN' end, case when is_left_out then ${suppressed} end,
      ${common.isSandbox}, ${common.apiKeyId}::uuid, ${now}::timestamptz, case when is_left_out then ${now}::timestamptz end
    from (
      select single.*, target is not null and ${isLeftOut} as is_left_out
      from unnest(${singles.map(({ id }) => id)}::uuid[], ${singles.map(({ emailAddress }) => emailAddress)}::text[],
          ${singles.map(({ target }) => target)}::text[], ${singles.map(({ domain }) => domain)}::text[])
        as single (id, email_address, target, domain)
    ) as asked
    on conflict do nothing
    returning id, verdict, reason, status`.execute(tx);
  return rows;
}

export async function markInProgress(db: Db, { ownerId, validationId }: SinglePlace): Promise<void> {
  await db
    .updateTable('single_validations')
    .set({ status: 'IN_PROGRESS' })
    .where('owner_id', '=', ownerId)
    .where('id', '=', validationId)
    .where('status', '=', 'PENDING')
    .execute();
}

/** Notes what an unfinished check waits for. */
export async function noteWait(
  tx: Tx,
  { ownerId, validationId }: SinglePlace,
  wait: StoredWait,
): Promise<void> {
  await tx
    .updateTable('single_validations')
    .set({ status: 'IN_PROGRESS', wait: JSON.stringify(wait) })
    .where('owner_id', '=', ownerId)
    .where('id', '=', validationId)
    .where('status', '<>', 'COMPLETE')
    .execute();
}

export interface CompletedSingle {
  readonly validationId: string;
  readonly finding: StoredFinding;
}

/** Completes checks of one customer with one statement. Leaves those out that are complete already: the first finding counts. */
export async function markSinglesComplete(
  tx: Tx,
  {
    ownerId,
    singles,
    now,
  }: { readonly ownerId: AccountId; readonly singles: readonly CompletedSingle[]; readonly now: Date },
): Promise<(SingleRow & { verdict: Verdict })[]> {
  const { rows } = await sql<SingleRow & { verdict: Verdict }>`
    update single_validations as single set status = 'COMPLETE', verdict = found.verdict, reason = found.reason,
      detail = found.detail::jsonb, wait = null, completed_at = ${now}
    from unnest(${singles.map(({ validationId }) => validationId)}::uuid[],
        ${singles.map(({ finding }) => finding.verdict)}::text[], ${singles.map(({ finding }) => finding.reason)}::text[],
        ${singles.map(({ finding }) => finding.detail)}::text[]) as found (id, verdict, reason, detail)
    where owner_id = ${ownerId} and single.id = found.id and status <> 'COMPLETE'
    returning single.id, email_address, status, single.verdict, single.reason, is_sandbox, wait, created_at,
      single.detail`.execute(tx);
  return rows;
}
