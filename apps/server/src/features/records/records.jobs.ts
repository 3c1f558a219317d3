import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** About a week, with waits that grow to five minutes. A longer outage needs an operator. */
const retryLimit = 2_000;

/** Removes the rows and files of a deleted customer. */
export const removeRemainsJob = defineJob({
  name: 'account.remove-remains',
  payload: z.strictObject({ ownerId: z.uuid() }),
  expireSeconds: 3_600,
  retryLimit,
  retryDelaySeconds: 10,
  startsAtOnce: true,
});

/** Deletes what customers no longer want to keep. */
export const applyRetentionJob = defineJob({
  name: 'account.apply-retention',
  payload: z.strictObject({}),
  schedule: '*/10 * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});

/** Deletes a deleted customer's account at the identity provider. */
export const deleteIdentityJob = defineJob({
  name: 'account.delete-identity',
  payload: z.strictObject({ subject: z.string() }),
  expireSeconds: 60,
  retryLimit,
  retryDelaySeconds: 2,
  startsAtOnce: true,
});
