import type { Db } from '../../../platform/database/database.ts';
import type { JobQueue } from '../../../platform/queue/index.ts';
import { catchUpPaymentsJob } from '../billing.jobs.ts';
import { markAllForSync } from './payments.store.ts';

/**
 * Has every customer compared with the payment provider, a thousand in an hour, and returns how many there are. Automatic
 * top-ups of a customer wait for it.
 */
export const syncAllCustomers = ({ db, queue }: { db: Db; queue: JobQueue }): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const count = await markAllForSync(tx);
    await queue.enqueue(tx, catchUpPaymentsJob, {});
    return count;
  });
