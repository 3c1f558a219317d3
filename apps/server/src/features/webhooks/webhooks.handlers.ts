import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { type DeliveryParts, deliverInOrder } from './delivery/deliver-in-order.ts';
import { deliverOnce } from './delivery/deliver-once.ts';
import { maintainDeliveries } from './delivery/maintain-deliveries.ts';
import { deliverInOrderJob, deliverOnceJob, maintainDeliveriesJob } from './webhooks.jobs.ts';
import { findOldestWebhook } from './webhooks.store.ts';

// A receiver that does not answer occupies a job for 15 seconds. That costs only a socket, because the job holds no database
// connection meanwhile. One customer occupies at most ten jobs in order, one per webhook, and three by hand.
const concurrency = { inOrder: 500, once: 200 } as const;

export function webhooksHandlers(parts: DeliveryParts): JobHandler[] {
  return [
    handleJob(
      deliverInOrderJob,
      { concurrency: concurrency.inOrder },
      async ({ ownerId, webhookId }, { jobId, signal }) => {
        const id = webhookId ?? (await findOldestWebhook(parts.db, ownerId));
        if (id) await deliverInOrder(parts, { ownerId, id, jobId }, signal);
      },
    ),
    handleJob(deliverOnceJob, { concurrency: concurrency.once }, ({ ownerId, deliveryId }, { signal }) =>
      deliverOnce(parts, { ownerId, id: deliveryId }, signal),
    ),
    handleJob(maintainDeliveriesJob, { concurrency: 1 }, () => maintainDeliveries(parts)),
  ];
}
