import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { tellListDeleted } from '../../../platform/events/index.ts';
import { settleWork } from '../../billing/index.ts';
import type { ListPlace } from '../../lists/index.ts';
import { countStopped } from '../metrics.store.ts';
import { lockVisibleList, markDeleted } from './lists.store.ts';
import { captureOfStopped, dueFor } from './stopped-list.ts';

/** Deletes a list. One that still runs stops: results already written are paid for, the rest goes back. */
export function deleteList({ db, clock }: { db: Db; clock: Clock }, place: ListPlace): Promise<void> {
  return runTransaction(db, async (tx) => {
    const list = await lockVisibleList(tx, place);
    if (!list) throw new AppError('list_not_found', { listId: place.listId });
    await markDeleted(tx, place);
    await tellListDeleted(tx, place);
    if (list.status === 'COMPLETE' || list.is_sandbox) return;

    const left = list.total_emails - dueFor(list) - list.unknown_emails;
    await countStopped(tx, { ownerId: place.ownerId, askedAt: list.created_at }, left);
    await settleWork(tx, captureOfStopped(place, list, clock.now()));
  });
}
