import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { notChecked } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { insertNotChecked } from '../rows/results.store.ts';
import { findLastRow } from '../rows/rows.store.ts';
import { countWritten, ListGone } from './write-results.ts';

/** Few enough for a short transaction, so that results of work under way do not wait for long. */
const rowNumbersAtATime = 10_000;

/**
 * Gives every row without a result the verdict UNKNOWN and completes the list. A worker that dies leaves whole batches
 * behind, and the next one goes through the rows again. Workers may still write results at the same time: the first result
 * of a row counts.
 */
export async function finishList(
  { db, queue, clock }: { readonly db: Db; readonly queue: JobQueue; readonly clock: Clock },
  place: ListPlace,
  signal: AbortSignal,
): Promise<void> {
  const rowNumberMax = await findLastRow(db, place);
  for (let from = 0; from <= rowNumberMax; from += rowNumbersAtATime) {
    signal.throwIfAborted();
    const now = clock.now();
    try {
      await runTransaction(db, async (tx) => {
        const count = await insertNotChecked(tx, place, { from, to: from + rowNumbersAtATime }, now);
        if (count === 0) return;
        const kind = { verdict: 'UNKNOWN', reason: notChecked, flags: null, mxProvider: null } as const;
        await countWritten(tx, queue, [{ place, kinds: [{ ...kind, emails: count }] }], now);
      });
    } catch (error) {
      // The list was deleted meanwhile.
      if (error instanceof ListGone) return;
      throw error;
    }
  }
}
