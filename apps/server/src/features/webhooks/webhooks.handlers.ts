import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { type DeliveryParts, deliverInOrder } from './delivery/deliver-in-order.ts';
import { deliverOnce } from './delivery/deliver-once.ts';
import { tendWebhooks } from './delivery/tend-webhooks.ts';
import { deliverInOrderJob, deliverOnceJob, tendWebhooksJob } from './webhooks.jobs.ts';

// A receiver that answers nothing keeps one of them for a quarter of a minute, so there are many.
const lanes = { inOrder: 16, once: 4 } as const;

export function webhooksHandlers(parts: DeliveryParts): JobHandler[] {
  return [
    handleJob(deliverInOrderJob, { concurrency: lanes.inOrder }, ({ ownerId }, { jobId, signal }) =>
      deliverInOrder(parts, { ownerId, jobId }, signal),
    ),
    handleJob(deliverOnceJob, { concurrency: lanes.once }, ({ ownerId, deliveryId }, { signal }) =>
      deliverOnce(parts, { ownerId, id: deliveryId }, signal),
    ),
    handleJob(tendWebhooksJob, { concurrency: 1 }, () => tendWebhooks(parts)),
  ];
}
