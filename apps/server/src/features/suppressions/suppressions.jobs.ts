import * as z from 'zod/mini';
import { defineJob, handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { maintainSuppressions, type SuppressionParts } from './suppressions.service.ts';

/** Ends entries whose time is over. They count as ended before it runs. */
const maintainSuppressionsJob = defineJob({
  name: 'suppressions.maintain',
  payload: z.strictObject({}),
  schedule: '*/10 * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});

export const suppressionsHandlers = (parts: SuppressionParts): JobHandler[] => [
  handleJob(maintainSuppressionsJob, { concurrency: 1 }, (_, { signal }) =>
    maintainSuppressions(parts, signal),
  ),
];
