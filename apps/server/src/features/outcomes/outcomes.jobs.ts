import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Matches new outcomes of a customer with their checks. */
export const matchOutcomesJob = defineJob({
  name: 'outcomes.match',
  payload: z.strictObject({ ownerId: z.uuid() }),
  expireSeconds: 900,
  retryLimit: 20,
});
