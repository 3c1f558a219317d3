import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Copies deletions to the log in the file store. */
export const logDeletionsJob = defineJob({
  name: 'recovery.log-deletions',
  payload: z.strictObject({}),
  schedule: '* * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});
