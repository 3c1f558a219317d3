import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { tellListDeleted } from '../../../platform/events/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { countStopped } from '../metrics.store.ts';
import { dueFor, listWork } from './list-work.ts';
import { lockVisibleList, markDeleted } from './lists.store.ts';

/** Deletes a list. A running list stops: it takes the credits of its results and gives the rest back. */
export function deleteList({ db, clock }: { db: Db; clock: Clock }, place: ListPlace): Promise<void> {
  return runTransaction(db, async (tx) => {
    const list = await lockVisibleList(tx, place);
    if (!list) throw new AppError('list_not_found', { listId: place.listId });
    await markDeleted(tx, place);
    await tellListDeleted(tx, place);
    if (list.status === 'COMPLETE') return;

    const work = listWork(place, list);
    const due = dueFor(list);
    const left = list.total_emails - due - list.unknown_emails;
    await work.count(() => countStopped(tx, { ownerId: place.ownerId, askedAt: list.created_at }, left));
    await work.stop(tx, due, clock.now());
  });
}
