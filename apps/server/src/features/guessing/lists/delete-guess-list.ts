import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { tellListDeleted } from '../../../platform/events/index.ts';
import { paidWork } from '../../billing/index.ts';
import { type GuessListPlace, lockGuessList, removeGuessList } from './guess-lists.store.ts';

/** Deletes a list. A running list stops: it takes the credits of the found addresses and gives the rest back. */
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

    const work = paidWork({ kind: 'guess-list', ownerId: place.ownerId, id: place.listId });
    await work.stop(tx, list.found, clock.now());
  });
}
