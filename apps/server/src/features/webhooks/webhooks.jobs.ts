import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';
import type { WebhookPlace } from './webhooks.store.ts';

/** Sends one webhook's waiting events, oldest first. It retries events itself; the queue's retries are for dead workers. */
export const deliverInOrderJob = defineJob({
  name: 'webhooks.deliver-in-order',
  // Jobs of the release before name no webhook: they mean the customer's oldest one.
  payload: z.strictObject({ ownerId: z.uuid(), webhookId: z.optional(z.uuid()) }),
  expireSeconds: 900,
  retryLimit: 20,
  startsAtOnce: true,
});
export const inOrderOf = ({ ownerId, id }: WebhookPlace) => ({ ownerId, webhookId: id });

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
