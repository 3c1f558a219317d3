import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

const nothing = z.strictObject({});

/** Revokes removed mailboxes at their providers. The job below retries failures. */
export const revokeGrantsJob = defineJob({
  name: 'warmup.revoke-grants',
  payload: nothing,
  expireSeconds: 600,
  retryLimit: 0,
  startsAtOnce: true,
});

/** Refreshes tokens before they expire, retries revocations, and moves tokens to the newest key. */
export const tendMailboxesJob = defineJob({
  name: 'warmup.tend-mailboxes',
  payload: nothing,
  schedule: '* * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});
