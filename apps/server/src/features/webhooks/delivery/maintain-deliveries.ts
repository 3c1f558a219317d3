import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { deliverInOrderJob } from '../webhooks.jobs.ts';
import { pruneFinished } from './deliveries.store.ts';
import { findForgottenWebhooks, wakeDeliveries } from './turn.store.ts';

/** An event that waits longer than this has lost its job. */
const overdueMs = 120_000;
const logDays = 30;
export const logLengthMax = 1_000;

export async function maintainDeliveries({
  db,
  clock,
  queue,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
}): Promise<void> {
  for (const ownerId of await findForgottenWebhooks(db, overdueMs)) {
    await db.transaction().execute(async (tx) => {
      if (await wakeDeliveries(tx, ownerId)) await queue.enqueue(tx, deliverInOrderJob, { ownerId });
    });
  }
  const createdBefore = new Date(clock.now().getTime() - logDays * 86_400_000);
  await pruneFinished(db, { createdBefore, keptPerCustomer: logLengthMax });
}
