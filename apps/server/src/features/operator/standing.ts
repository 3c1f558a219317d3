import type { Standing } from '@assay/contract/operator';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { peopleLists } from '../guessing/index.ts';
import { changeStanding } from '../users/index.ts';
import { emailLists } from '../verification/index.ts';
import { type ActorAndReason, type OperatorParts, recordAction } from './actions.ts';
import { findOperatorRole } from './operators.store.ts';

export interface OperatorQueueParts extends OperatorParts {
  readonly queue: JobQueue;
}

/**
 * Changes what an account may do. Its running lists are paused when it is held or suspended, and go on when that is lifted.
 * A job that runs every minute does the same, for lists that a call under way starts, and after a crash.
 */
export async function setStanding(
  parts: OperatorQueueParts,
  by: ActorAndReason,
  { customerId, standing }: { readonly customerId: string; readonly standing: Standing },
): Promise<void> {
  const { db, clock } = parts;
  await runTransaction(db, async (tx) => {
    const before = await changeStanding(tx, customerId, standing);
    if (!before) throw new AppError('customer_not_found', { customerId });
    if (before === standing) return;
    if (standing !== 'open' && (await findOperatorRole(tx, customerId)))
      throw new AppError('operator_standing', { customerId });
    const now = clock.now();
    await recordAction(tx, by, { kind: 'customer.standing', customerId, about: standing, now });
  });
  await followStandings(parts);
}

/** Pauses the running lists of held and suspended accounts, lets those of throttled ones wait, and lifts both afterwards. */
export async function followStandings(parts: OperatorQueueParts): Promise<void> {
  for (const lists of [emailLists, peopleLists]) await lists.control.followStandings(parts);
}
