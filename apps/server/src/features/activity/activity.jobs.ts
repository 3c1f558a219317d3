import * as z from 'zod/mini';
import type { Db } from '../../platform/database/database.ts';
import { defineJob, handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { expireActivities } from './activity.store.ts';

/** Removes the contents of entries that are a year old. */
const expireActivitiesJob = defineJob({
  name: 'activity.expire',
  payload: z.strictObject({}),
  schedule: '17 * * * *',
  expireSeconds: 3_600,
  retryLimit: 0,
});

export const activityHandlers = ({ db }: { readonly db: Db }): JobHandler[] => [
  handleJob(expireActivitiesJob, { concurrency: 1 }, (_, { signal }) => expireActivities(db, signal)),
];
