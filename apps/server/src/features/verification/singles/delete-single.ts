import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { paidWork } from '../../billing/index.ts';
import { countStopped } from '../metrics.store.ts';
import { removeSingle } from './singles.store.ts';

/** Deletes a check. A running one stops: its credit goes back, and a worker that still asks finds nothing to write to. */
export function deleteSingle(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  ownerId: string,
  id: string,
): Promise<void> {
  return runTransaction(db, async (tx) => {
    const single = await removeSingle(tx, ownerId, id);
    if (!single) throw new AppError('not_found', { validationId: id });
    if (single.status === 'COMPLETE') return;
    const work = paidWork({ kind: 'single', ownerId, id, isSandbox: single.is_sandbox });
    await work.count(() => countStopped(tx, { ownerId, askedAt: single.created_at }, 1));
    await work.release(tx, clock.now());
  });
}
