import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { recordActivity } from '../activity/index.ts';
import { paidWork } from '../billing/index.ts';
import type { OldWork } from '../lists/index.ts';

const atATime = 500;

/** Single guesses that were created before a moment. */
export async function countOldGuesses(db: Db, { ownerId, before }: OldWork): Promise<number> {
  const { count } = await db
    .selectFrom('guesses')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('list_id', 'is', null)
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes them, a few in each transaction. Credits of running ones go back. */
export async function deleteOldGuesses(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { ownerId, before }: OldWork,
  signal: AbortSignal,
): Promise<void> {
  for (let deletedCount = atATime; deletedCount === atATime; ) {
    signal.throwIfAborted();
    deletedCount = await runTransaction(db, async (tx) => {
      const { rows } = await sql<{ id: string; status: string }>`
        delete from guesses where owner_id = ${ownerId} and id in (
          select id from guesses where owner_id = ${ownerId} and list_id is null and created_at < ${before}
          order by id limit ${atATime} for update)
        returning id, status`.execute(tx);
      if (rows.length === 0) return 0;
      const now = clock.now();
      for (const { id, status } of rows) {
        if (status !== 'COMPLETE') await paidWork({ kind: 'guess', ownerId, id }).release(tx, now);
      }
      const about = `${rows.length} expired`;
      await recordActivity(tx, { accountId: ownerId }, { kind: 'deletion.guess', about, now });
      return rows.length;
    });
  }
}
