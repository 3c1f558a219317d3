import * as z from 'zod/mini';
import { defineJob } from '../../../platform/queue/index.ts';

/** Reads what is new in a mailbox. A scheduled job enqueues it, also after it failed. */
export const readMailboxJob = defineJob({
  name: 'outcomes.read-mailbox',
  payload: z.strictObject({ ownerId: z.uuid(), id: z.uuid() }),
  expireSeconds: 600,
  retryLimit: 0,
  keepsNoRecord: true,
});

/** Enqueues the mailboxes that are due. */
export const readMailboxesJob = defineJob({
  name: 'outcomes.read-mailboxes',
  payload: z.strictObject({}),
  schedule: '* * * * *',
  expireSeconds: 120,
  retryLimit: 0,
});
