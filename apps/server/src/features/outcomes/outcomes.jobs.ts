import * as z from 'zod/mini';
import { defineJob } from '../../platform/queue/index.ts';

/** Matches new outcomes of a customer with their checks. The next job resumes one that failed. */
export const matchOutcomesJob = defineJob({
  name: 'outcomes.match',
  payload: z.strictObject({ ownerId: z.uuid() }),
  expireSeconds: 900,
  retryLimit: 0,
});

/** Resumes the matching of customers whose job failed or was lost, within a minute. */
export const resumeMatchingJob = defineJob({
  name: 'outcomes.resume-matching',
  payload: z.strictObject({}),
  schedule: '* * * * *',
  expireSeconds: 600,
  retryLimit: 0,
});
