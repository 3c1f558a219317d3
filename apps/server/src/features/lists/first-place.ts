import type { Db, Tx } from '../../platform/database/database.ts';
import { runTransaction } from '../../platform/database/run-transaction.ts';
import type { AccountId } from '../../platform/ids.ts';
import { lastPlace, moveJobs } from '../../platform/queue/index.ts';
import { findStanding, findThrottledIds } from '../accounts/index.ts';

/** The place in the queue at which the jobs of a customer's list begin: throttled customers come after all others. */
export async function findFirstPlace(tx: Tx, ownerId: AccountId): Promise<number> {
  return (await findStanding(tx, ownerId)) === 'throttled' ? lastPlace : 0;
}

/** Moves jobs that wait already to the places that the standings of their customers give them. */
export async function moveJobsByStanding(db: Db, queues: readonly string[]): Promise<void> {
  await runTransaction(db, async (tx) => {
    await moveJobs(tx, { queues, ownerIds: await findThrottledIds(tx), place: lastPlace });
  });
}
