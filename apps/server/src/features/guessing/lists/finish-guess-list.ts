import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { notChecked } from '../../engine/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { peopleLists } from './people-lists.ts';

/** Gives everyone without an outcome UNKNOWN and completes the list, in one transaction: lists of people are short. */
export function finishGuessList(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  place: ListPlace,
): Promise<void> {
  return runTransaction(db, async (tx) => {
    const now = clock.now();
    // Locks the list before its people, like the worker that completes a guess.
    if (!(await peopleLists.results.lockForResults(tx, place))) return;
    const UNKNOWN = await completeUnchecked(tx, place, now);
    const list = await peopleLists.results.count(
      tx,
      place,
      { FOUND: 0, CATCH_ALL: 0, NOT_FOUND: 0, UNKNOWN },
      now,
    );
    if (list) await peopleLists.results.advance(tx, place, list, now);
  });
}

async function completeUnchecked(tx: Tx, { ownerId, listId }: ListPlace, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('guesses')
    .set({ status: 'COMPLETE', outcome: 'UNKNOWN', reason: notChecked, completed_at: now })
    .where('owner_id', '=', ownerId)
    .where('list_id', '=', listId)
    .where('status', '<>', 'COMPLETE')
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
