import type { PageQuery, Verdict } from '@assay/contract';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { escapePattern } from '../../../platform/database/escape-pattern.ts';
import { findPage } from '../../../platform/database/find-page.ts';
import type { Finding } from '../../engine/index.ts';
import type { OldWork } from '../../lists/index.ts';
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

export type SingleRow = NonNullable<Awaited<ReturnType<typeof findSingle>>>;
export type ListedSingle = Omit<SingleRow, 'detail'>;

export function findSingle(db: Db, ownerId: string, id: string) {
  return db
    .selectFrom('single_validations')
    .select([...listed, 'detail'])
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Whether this API key started the check. */
export async function isStartedBy(db: Db, ownerId: string, id: string, apiKeyId: string): Promise<boolean> {
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

export function findSingles(db: Db, ownerId: string, filter: SinglesFilter, page: PageQuery) {
  const newestFirst = matchingSingles(db, ownerId, filter)
    .select(listed)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return findPage(newestFirst, page);
}

const matchingSingles = (db: Db, ownerId: string, { search = '', verdicts, isSandboxOnly }: SinglesFilter) =>
  db
    .selectFrom('single_validations')
    .where('owner_id', '=', ownerId)
    .$if(search !== '', (query) => query.where('email_address', 'ilike', `%${escapePattern(search)}%`))
    .$if(verdicts !== undefined, (query) => query.where('verdict', 'in', [...(verdicts ?? [])]))
    .$if(isSandboxOnly === true, (query) => query.where('is_sandbox', '=', true));

/** The next complete checks behind `last`, newest first. */
export function findSinglesToExport(
  db: Db,
  ownerId: string,
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
export function removeSingle(tx: Tx, ownerId: string, id: string) {
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

export async function insertSingle(
  tx: Tx,
  single: {
    readonly ownerId: string;
    readonly id: string;
    readonly emailAddress: string;
    readonly isSandbox: boolean;
    readonly apiKeyId: string | null;
    readonly now: Date;
  },
): Promise<ListedSingle> {
  return tx
    .insertInto('single_validations')
    .values({
      owner_id: single.ownerId,
      id: single.id,
      email_address: single.emailAddress,
      status: 'PENDING',
      is_sandbox: single.isSandbox,
      api_key_id: single.apiKeyId,
      created_at: single.now,
    })
    .returning(listed)
    .executeTakeFirstOrThrow();
}

export async function markInProgress(db: Db, ownerId: string, id: string): Promise<void> {
  await db
    .updateTable('single_validations')
    .set({ status: 'IN_PROGRESS' })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .execute();
}

/** Notes what an unfinished check waits for. */
export async function noteWait(
  tx: Tx,
  { ownerId, validationId }: { readonly ownerId: string; readonly validationId: string },
  wait: StoredWait,
): Promise<void> {
  await tx
    .updateTable('single_validations')
    .set({ wait: JSON.stringify(wait) })
    .where('owner_id', '=', ownerId)
    .where('id', '=', validationId)
    .where('status', '<>', 'COMPLETE')
    .execute();
}

/** Nothing when it is complete already: the first finding counts. */
export function markSingleComplete(
  tx: Tx,
  { ownerId, validationId, finding, now }: CompletedSingle,
): Promise<{ created_at: Date; is_sandbox: boolean } | undefined> {
  return tx
    .updateTable('single_validations')
    .set({
      status: 'COMPLETE',
      verdict: finding.verdict,
      reason: finding.reason,
      detail: finding.detail,
      wait: null,
      completed_at: now,
    })
    .where('owner_id', '=', ownerId)
    .where('id', '=', validationId)
    .where('status', '<>', 'COMPLETE')
    .returning(['created_at', 'is_sandbox'])
    .executeTakeFirst();
}

interface CompletedSingle {
  readonly ownerId: string;
  readonly validationId: string;
  readonly finding: Finding;
  readonly now: Date;
}
