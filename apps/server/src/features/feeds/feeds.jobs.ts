import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Deletes signatures that are too old to be used again. */
export const sweepSignaturesJob = defineJob({
  name: 'feeds.sweep-signatures',
  payload: z.strictObject({}),
  schedule: '17 * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});
