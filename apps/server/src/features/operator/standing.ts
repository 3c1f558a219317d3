import type { Standing } from '@assay/contract/operator';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import { AppError } from '../../platform/errors/index.ts';
import type { JobQueue } from '../../platform/queue/index.ts';
import { peopleLists } from '../guessing/index.ts';
import { changeStanding } from '../users/index.ts';
import { emailLists } from '../verification/index.ts';
import { type OperatorParts, type Order, recordAction } from './actions.ts';
import { isOperator } from './operators.ts';

export interface StandingParts extends OperatorParts {
  readonly queue: JobQueue;
}

/**
 * Changes what an account may do. Its running lists are paused when it is held or suspended, and go on when that is lifted.
 * A call that was under way may still start a list; the job that runs every minute pauses it.
 */
export async function setStanding(
  parts: StandingParts,
  order: Order,
  { customerId, standing }: { readonly customerId: string; readonly standing: Standing },
): Promise<void> {
  const { db, clock } = parts;
  const before = await runTransaction(db, async (tx) => {
    const now = clock.now();
    const changed = await changeStanding(tx, customerId, { standing, now });
    if (!changed) throw new AppError('customer_not_found', { customerId });
    if (changed.standing === standing) return changed;
    if (standing !== 'open' && (await isOperator(tx, customerId)))
      throw new AppError('operator_standing', { customerId });
    await recordAction(tx, order, { kind: 'customer.standing', customerId, about: standing, now });
    return changed;
  });
  await pauseListsOfRestricted(parts);
  if (!pausesLists(standing) && pausesLists(before.standing) && before.since)
    await resumeLists(parts, customerId, before.since);
}

const pausesLists = (standing: Standing): boolean => standing === 'held' || standing === 'suspended';

/** Pauses the running lists of all held and suspended accounts. */
export async function pauseListsOfRestricted(parts: StandingParts): Promise<void> {
  for (const lists of [emailLists, peopleLists]) await lists.pauseOfRestricted(parts);
}

async function resumeLists(parts: StandingParts, ownerId: string, pausedAt: Date): Promise<void> {
  for (const lists of [emailLists, peopleLists]) await lists.resumePausedAt(parts, ownerId, pausedAt);
}
