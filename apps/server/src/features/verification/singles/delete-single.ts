import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { runTransaction } from '../../../platform/database/run-transaction.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { type Actor, recordActivity } from '../../activity/index.ts';
import { paidWork } from '../../billing/index.ts';
import type { OldWork } from '../../lists/index.ts';
import { forgetChecks } from '../../outcomes/index.ts';
import { countStopped } from '../metrics.store.ts';
import { type ListedSingle, removeOldSingles, removeSingle } from './singles.store.ts';

/** Deletes a check. A running one stops: its credit goes back, and a worker that still asks finds nothing to write to. */
export function deleteSingle(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  actor: Actor,
  id: string,
): Promise<void> {
  const ownerId = actor.accountId;
  return runTransaction(db, async (tx) => {
    const single = await removeSingle(tx, ownerId, id);
    if (!single) throw new AppError('not_found', { validationId: id });
    await forgetChecks(tx, ownerId, [id]);
    await settleDeleted(tx, ownerId, { id, ...single }, clock.now());
    await recordActivity(tx, actor, { kind: 'deletion.single', now: clock.now() });
  });
}

const oldAtATime = 500;

/** Deletes the checks that were created before a moment, a few in each transaction. */
export async function deleteOldSingles(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  old: OldWork,
  signal: AbortSignal,
): Promise<void> {
  for (let deletedCount = oldAtATime; deletedCount === oldAtATime; ) {
    signal.throwIfAborted();
    deletedCount = await runTransaction(db, async (tx) => {
      const singles = await removeOldSingles(tx, old, oldAtATime);
      if (singles.length === 0) return 0;
      await forgetChecks(
        tx,
        old.ownerId,
        singles.map(({ id }) => id),
      );
      const now = clock.now();
      for (const single of singles) await settleDeleted(tx, old.ownerId, single, now);
      const actor = { accountId: old.ownerId };
      await recordActivity(tx, actor, { kind: 'deletion.single', about: `${singles.length} expired`, now });
      return singles.length;
    });
  }
}

async function settleDeleted(
  tx: Tx,
  ownerId: AccountId,
  single: Pick<ListedSingle, 'id' | 'status' | 'is_sandbox' | 'created_at'>,
  now: Date,
): Promise<void> {
  if (single.status === 'COMPLETE' || single.is_sandbox) return;
  await countStopped(tx, { ownerId, askedAt: single.created_at }, 1);
  await paidWork({ kind: 'single', ownerId, id: single.id }).release(tx, now);
}
