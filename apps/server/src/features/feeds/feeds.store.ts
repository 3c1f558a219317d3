import type { FeedRefusal, FeedSender } from '@assay/contract';
import type { Standing } from '@assay/contract/operator';
import { sql } from 'kysely';
import type { RotatedSecrets } from '../../platform/crypto/rotated-secrets.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/ids.ts';

export const feedSecrets: RotatedSecrets = { table: 'outcome_feeds', purpose: 'feed secret' };

export interface FeedKey {
  readonly ownerId: AccountId;
  readonly id: string;
}

const columns = [
  'id',
  'sender',
  'sealed_secret',
  'sealed_previous_secret',
  'previous_secret_until',
  'topic_arn',
  'confirmed_at',
  'taken_events',
  'last_event_at',
  'created_at',
] as const;

export type FeedRow = Awaited<ReturnType<typeof findFeedsOf>>[number];

/** Oldest first. */
export function findFeedsOf(db: Db, ownerId: AccountId) {
  return db
    .selectFrom('outcome_feeds')
    .select(columns)
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function findRefusalsOf(db: Db, ownerId: AccountId) {
  return db
    .selectFrom('outcome_feed_refusals')
    .select(['feed_id', 'reason', 'refused_count', 'last_at'])
    .where('owner_id', '=', ownerId)
    .orderBy('last_at', 'desc')
    .execute();
}

/** A feed as its sender finds it, by its id alone. */
export interface CalledFeed extends Omit<FeedRow, 'taken_events' | 'last_event_at' | 'created_at'> {
  readonly owner_id: AccountId;
  readonly standing: Standing;
}

export async function findCalledFeeds(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CalledFeed>> {
  const rows = await db
    .selectFrom('outcome_feeds')
    .innerJoin('accounts', 'accounts.id', 'outcome_feeds.owner_id')
    .select([
      'outcome_feeds.owner_id',
      'outcome_feeds.id',
      'sender',
      'sealed_secret',
      'sealed_previous_secret',
      'previous_secret_until',
      'topic_arn',
      'confirmed_at',
      'accounts.standing',
    ])
    .where('outcome_feeds.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function countFeeds(tx: Tx, ownerId: AccountId): Promise<number> {
  const { count } = await tx
    .selectFrom('outcome_feeds')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertFeed(
  tx: Tx,
  feed: FeedKey & {
    readonly sender: FeedSender;
    readonly sealedSecret: string | null;
    readonly topicArn: string | null;
    readonly now: Date;
  },
): Promise<void> {
  await tx
    .insertInto('outcome_feeds')
    .values({
      owner_id: feed.ownerId,
      id: feed.id,
      sender: feed.sender,
      sealed_secret: feed.sealedSecret,
      topic_arn: feed.topicArn,
      created_at: feed.now,
    })
    .execute();
}

/** Another topic has to be confirmed again. */
export async function updateTopic(tx: Tx, { ownerId, id }: FeedKey, topicArn: string): Promise<void> {
  await tx
    .updateTable('outcome_feeds')
    .set({ topic_arn: topicArn, confirmed_at: null })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
}

export async function setConfirmed(db: Db, { ownerId, id }: FeedKey, at: Date | null): Promise<void> {
  await db
    .updateTable('outcome_feeds')
    .set({ confirmed_at: at })
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .execute();
}

/** Returns its sender, or nothing if the customer has no such feed. */
export async function deleteFeed(tx: Tx, { ownerId, id }: FeedKey): Promise<FeedSender | undefined> {
  const deleted = await tx
    .deleteFrom('outcome_feeds')
    .where('owner_id', '=', ownerId)
    .where('id', '=', id)
    .returning('sender')
    .executeTakeFirst();
  return deleted?.sender;
}

/** What became of a call. */
export type FeedNews = FeedKey &
  (
    | { readonly refusal: FeedRefusal; readonly takenCount?: undefined }
    | { readonly refusal?: undefined; readonly takenCount: number }
  );

/** Counts calls of several feeds with two statements, in the order of feeds, so that two processes do not block each other. */
export async function noteNews(db: Db, news: readonly FeedNews[], now: Date): Promise<void> {
  const taken = sumBy(
    news.filter(({ refusal }) => refusal === undefined),
    ({ id }) => id,
  );
  if (taken.length > 0) {
    await sql`
      update outcome_feeds set taken_events = taken_events + news.taken_count, last_event_at = greatest(last_event_at, ${now})
      from (
        select feeds.owner_id, feeds.id, taken_count
        from unnest(${taken.map(({ ownerId }) => ownerId)}::uuid[], ${taken.map(({ id }) => id)}::uuid[],
          ${taken.map(({ sum }) => sum)}::bigint[]) as given (owner_id, id, taken_count)
        join outcome_feeds as feeds using (owner_id, id) order by feeds.owner_id, feeds.id for no key update of feeds
      ) as news
      where outcome_feeds.owner_id = news.owner_id and outcome_feeds.id = news.id`.execute(db);
  }
  const refusals = sumBy(
    news.filter(({ refusal }) => refusal !== undefined),
    ({ id, refusal }) => `${id} ${refusal}`,
  );
  if (refusals.length === 0) return;
  // A feed that was deleted meanwhile needs no count.
  await sql`
    insert into outcome_feed_refusals (owner_id, feed_id, reason, refused_count, last_at)
    select feeds.owner_id, feeds.id, given.reason, given.refused_count, ${now}
    from unnest(${refusals.map(({ ownerId }) => ownerId)}::uuid[], ${refusals.map(({ id }) => id)}::uuid[],
      ${refusals.map(({ refusal }) => refusal)}::text[], ${refusals.map(({ sum }) => sum)}::bigint[])
      as given (owner_id, id, reason, refused_count)
    join outcome_feeds as feeds using (owner_id, id)
    order by 1, 2, 3
    on conflict (owner_id, feed_id, reason) do update set
      refused_count = outcome_feed_refusals.refused_count + excluded.refused_count,
      last_at = greatest(outcome_feed_refusals.last_at, excluded.last_at)`.execute(db);
}

function sumBy(
  news: readonly FeedNews[],
  keyOf: (one: FeedNews) => string,
): { ownerId: AccountId; id: string; refusal: FeedRefusal | undefined; sum: number }[] {
  const sums = new Map<
    string,
    { ownerId: AccountId; id: string; refusal: FeedRefusal | undefined; sum: number }
  >();
  for (const one of news) {
    const { ownerId, id, refusal, takenCount = 1 } = one;
    const before = sums.get(keyOf(one))?.sum ?? 0;
    sums.set(keyOf(one), { ownerId, id, refusal, sum: before + takenCount });
  }
  return [...sums.values()];
}

/**
 * Uses up a signature for one body. `again` for the same body, which is a repeat of the sender. Waits for another transaction that uses
 * it at the moment.
 */
export async function useSignature(
  db: Db,
  { ownerId, id }: FeedKey,
  { tokenHash, bodyHash, keptUntil }: { tokenHash: string; bodyHash: string; keptUntil: Date },
): Promise<'first' | 'again' | 'for another body'> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('outcome_feed_signatures')
    .values({
      owner_id: ownerId,
      feed_id: id,
      token_hash: tokenHash,
      body_hash: bodyHash,
      kept_until: keptUntil,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) return 'first';
  const used = await db
    .selectFrom('outcome_feed_signatures')
    .select('body_hash')
    .where('owner_id', '=', ownerId)
    .where('feed_id', '=', id)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return used?.body_hash === bodyHash ? 'again' : 'for another body';
}

const signaturesAtATime = 10_000;

export async function deleteOldSignatures(db: Db, now: Date, signal: AbortSignal): Promise<void> {
  for (let count = signaturesAtATime; count === signaturesAtATime; ) {
    signal.throwIfAborted();
    const { rows } = await sql`
      delete from outcome_feed_signatures where (owner_id, feed_id, token_hash) in (
        select owner_id, feed_id, token_hash from outcome_feed_signatures
        where kept_until < ${now} limit ${signaturesAtATime} for update skip locked)
      returning 1`.execute(db);
    count = rows.length;
  }
}
