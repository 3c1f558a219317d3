import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Sends one customer's waiting events, oldest first. It retries events itself; the queue's retries are for dead workers. */
export const deliverInOrderJob = defineJob({
  name: 'webhooks.deliver-in-order',
  payload: z.strictObject({ ownerId: z.uuid() }),
  expireSeconds: 900,
  retryLimit: 20,
  startsAtOnce: true,
});

/** A test, or an event sent again by hand. */
export const deliverOnceJob = defineJob({
  name: 'webhooks.deliver-once',
  payload: z.strictObject({ ownerId: z.uuid(), deliveryId: z.uuid() }),
  expireSeconds: 60,
  retryLimit: 20,
  startsAtOnce: true,
});

/** Wakes webhooks whose job was lost, and prunes the delivery logs. */
export const maintainDeliveriesJob = defineJob({
  name: 'webhooks.tend',
  payload: z.strictObject({}),
  schedule: '* * * * *',
  expireSeconds: 300,
  retryLimit: 0,
});
