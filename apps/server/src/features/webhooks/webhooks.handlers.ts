import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { type DeliveryParts, deliverInOrder } from './delivery/deliver-in-order.ts';
import { deliverOnce } from './delivery/deliver-once.ts';
import { maintainDeliveries } from './delivery/maintain-deliveries.ts';
import { deliverInOrderJob, deliverOnceJob, maintainDeliveriesJob } from './webhooks.jobs.ts';

// A receiver that answers nothing keeps a place for 15 seconds. A place costs no more than a socket, since no database
// connection is held while a receiver is awaited; one customer takes at most one in order, and three by hand.
const lanes = { inOrder: 64, once: 32 } as const;

export function webhooksHandlers(parts: DeliveryParts): JobHandler[] {
  return [
    handleJob(deliverInOrderJob, { concurrency: lanes.inOrder }, ({ ownerId }, { jobId, signal }) =>
      deliverInOrder(parts, { ownerId, jobId }, signal),
    ),
    handleJob(deliverOnceJob, { concurrency: lanes.once }, ({ ownerId, deliveryId }, { signal }) =>
      deliverOnce(parts, { ownerId, id: deliveryId }, signal),
    ),
    handleJob(maintainDeliveriesJob, { concurrency: 1 }, () => maintainDeliveries(parts)),
  ];
}
