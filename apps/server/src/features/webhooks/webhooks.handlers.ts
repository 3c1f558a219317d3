import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { type DeliveryParts, deliverInOrder } from './delivery/deliver-in-order.ts';
import { deliverOnce } from './delivery/deliver-once.ts';
import { maintainDeliveries } from './delivery/maintain-deliveries.ts';
import { deliverInOrderJob, deliverOnceJob, maintainDeliveriesJob } from './webhooks.jobs.ts';

// A receiver that does not answer occupies a job for 15 seconds. That costs only a socket, because the job holds no database
// connection meanwhile. One customer occupies at most one job in order and three by hand.
const concurrency = { inOrder: 500, once: 200 } as const;

export function webhooksHandlers(parts: DeliveryParts): JobHandler[] {
  return [
    handleJob(deliverInOrderJob, { concurrency: concurrency.inOrder }, ({ ownerId }, { jobId, signal }) =>
      deliverInOrder(parts, { ownerId, jobId }, signal),
    ),
    handleJob(deliverOnceJob, { concurrency: concurrency.once }, ({ ownerId, deliveryId }, { signal }) =>
      deliverOnce(parts, { ownerId, id: deliveryId }, signal),
    ),
    handleJob(maintainDeliveriesJob, { concurrency: 1 }, () => maintainDeliveries(parts)),
  ];
}
