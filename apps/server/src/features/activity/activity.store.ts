import type { ActivityArea, PageQuery } from '@assay/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { escapePattern } from '../../platform/database/escape-pattern.ts';
import { findPage } from '../../platform/database/find-page.ts';
import type { AccountId } from '../../platform/ids.ts';

export interface ActivityFilter {
  readonly area?: ActivityArea | undefined;
  readonly search?: string | undefined;
}

function findMatching(db: Db, ownerId: AccountId, { area, search = '' }: ActivityFilter) {
  const searched = sql<string>`concat_ws(' ', list_name, contents ->> 'about', contents ->> 'address', contents ->> 'agent',
    contents -> 'key' ->> 'name', contents -> 'key' ->> 'id', contents -> 'list' ->> 'id')`;
  return db
    .selectFrom('activity_entries')
    .select(['number', 'recorded_at', 'contents', 'list_name'])
    .where('owner_id', '=', ownerId)
    .where('contents', 'is not', null)
    .$if(area !== undefined, (query) =>
      query.where(sql<string>`contents ->> 'kind'`, 'like', `${escapePattern(area ?? '')}.%`),
    )
    .$if(search !== '', (query) => query.where(searched, 'ilike', `%${escapePattern(search)}%`))
    .orderBy('number', 'desc')
    .$narrowType<{ contents: NonNullable<unknown> }>();
}

export type ActivityRow = Awaited<ReturnType<typeof findActivities>>['rows'][number];

export const findActivities = (db: Db, ownerId: AccountId, filter: ActivityFilter, page: PageQuery) =>
  findPage(findMatching(db, ownerId, filter), page);

/** The next entries of an export, which come before this number. */
export const findActivitiesBefore = (
  db: Db,
  ownerId: AccountId,
  filter: ActivityFilter,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<ActivityRow[]> =>
  findMatching(db, ownerId, filter)
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0))
    .limit(limit)
    .execute();

/** From now on the log of this customer takes no entry, and its contents may be removed. */
export async function closeActivities(db: Db, ownerId: AccountId, now: Date): Promise<void> {
  await db
    .insertInto('activity_chains')
    .values({ owner_id: ownerId, erased_at: now })
    .onConflict((conflict) =>
      conflict
        .column('owner_id')
        .doUpdateSet({ erased_at: now })
        .where('activity_chains.erased_at', 'is', null),
    )
    .execute();
}

const removedAtATime = 5_000;

/** Removes the contents of entries, of one customer or of all, in small steps. The hashes stay. */
async function removeContents(db: Db, condition: ReturnType<typeof sql>, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const { numAffectedRows = 0n } = await sql`
      update activity_entries set contents = null, salt = null, list_name = null, list_name_salt = null where (owner_id, number) in (
        select owner_id, number from activity_entries where contents is not null and ${condition}
        limit ${removedAtATime})`.execute(db);
    if (numAffectedRows === 0n) return;
  }
}

/**
 * Removes the names of a customer's deleted lists that were created before a moment. The entries stay, with the ids of the lists. The
 * database refuses it for a list whose deletion is not in the log.
 */
export async function forgetListNames(
  db: Db,
  { ownerId, before }: { readonly ownerId: AccountId; readonly before: Date },
): Promise<void> {
  await sql`
    update activity_entries set list_name = null, list_name_salt = null
    where owner_id = ${ownerId} and list_name is not null
      and (contents -> 'list' ->> 'createdAt')::timestamptz < ${before}
      and activity_list_is_deleted(owner_id, contents -> 'list' ->> 'id')`.execute(db);
}

/** Of a customer whose log is closed. */
export const eraseActivities = (db: Db, ownerId: AccountId, signal: AbortSignal): Promise<void> =>
  removeContents(db, sql`owner_id = ${ownerId}`, signal);

/** The database decides when a year is over. */
export const expireActivities = (db: Db, signal: AbortSignal): Promise<void> =>
  removeContents(db, sql`recorded_at < now() - interval '365 days'`, signal);
