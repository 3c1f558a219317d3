import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { deliverInOrderJob, inOrderOf } from '../webhooks.jobs.ts';
import { pruneFinished } from './deliveries.store.ts';
import { findForgottenWebhooks, wakeDeliveries } from './turn.store.ts';

/** An event that waits longer than this has lost its job. */
const overdueMs = 120_000;
const logDays = 30;
/** Per webhook. */
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
  for (const place of await findForgottenWebhooks(db, overdueMs)) {
    await db.transaction().execute(async (tx) => {
      if (await wakeDeliveries(tx, place)) await queue.enqueue(tx, deliverInOrderJob, inOrderOf(place));
    });
  }
  const createdBefore = new Date(clock.now().getTime() - logDays * 86_400_000);
  await pruneFinished(db, { createdBefore, keptPerWebhook: logLengthMax });
}
