import * as z from 'zod/mini';
import { sweepCounts } from '../../platform/operation-counts.ts';
import { defineJob, handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { scoreCustomers } from './abuse.ts';
import { pauseListsOfRestricted, type StandingParts } from './standing.ts';

const scheduled = { payload: z.strictObject({}), expireSeconds: 3_600, retryLimit: 0 } as const;

/** Pauses lists that a call under way started after its account was held or suspended. */
const pauseListsJob = defineJob({ name: 'operator.pause-lists', schedule: '* * * * *', ...scheduled });

/** Scores customers whose lists look harvested, and removes old counts. */
const scoreCustomersJob = defineJob({
  name: 'operator.score-customers',
  schedule: '23 * * * *',
  ...scheduled,
});

export const operatorHandlers = (parts: StandingParts): JobHandler[] => [
  handleJob(pauseListsJob, { concurrency: 1 }, () => pauseListsOfRestricted(parts)),
  handleJob(scoreCustomersJob, { concurrency: 1 }, async (_, { signal }) => {
    await scoreCustomers(parts, signal);
    await sweepCounts(parts.db, parts.clock.now());
  }),
];
