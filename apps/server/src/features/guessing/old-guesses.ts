import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { recordActivity } from '../activity/index.ts';
import { paidWork } from '../billing/index.ts';
import type { OldWork } from '../lists/index.ts';
import { removeOldGuesses } from './guesses.store.ts';

const atATime = 500;

/** Deletes single guesses that were created before a moment, a few in each transaction. Credits of running ones go back. */
export async function deleteOldGuesses(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { ownerId, before }: OldWork,
  signal: AbortSignal,
): Promise<void> {
  for (let deletedCount = atATime; deletedCount === atATime; ) {
    signal.throwIfAborted();
    deletedCount = await runTransaction(db, async (tx) => {
      const rows = await removeOldGuesses(tx, { ownerId, before }, atATime);
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
