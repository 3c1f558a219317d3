import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { tellListDeleted } from '../../../platform/events/index.ts';
import { type HoldCapture, settleWork } from '../../billing/index.ts';
import { type GuessListPlace, lockGuessList, removeGuessList } from './guess-lists.store.ts';

/** Deletes a list. One that still runs stops: addresses already proved are paid for, the rest goes back. */
export function deleteGuessList(
  { db, clock }: { db: Db; clock: Clock },
  place: GuessListPlace,
): Promise<void> {
  return runTransaction(db, async (tx) => {
    const list = await lockGuessList(tx, place);
    if (!list) throw new AppError('list_not_found', { listId: place.listId });
    await removeGuessList(tx, place);
    await tellListDeleted(tx, place);
    if (list.status === 'COMPLETE') return;

    await settleWork(tx, captureOfStopped(place, list, clock.now()));
  });
}

/** What is taken for a list that ends before everybody is guessed: the addresses proved by then. */
export const captureOfStopped = (
  { ownerId, listId }: GuessListPlace,
  { found }: { readonly found: number },
  now: Date,
): HoldCapture => ({
  ownerId,
  reference: `guess-list:${listId}`,
  dueCredits: found,
  category: 'GUESSING',
  source: 'LIST',
  description: 'Guessed list, stopped',
  now,
});
