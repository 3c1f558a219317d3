import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import type { ListPlace } from '../../lists/index.ts';
import { completeUnchecked } from './guess-lists.store.ts';
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
