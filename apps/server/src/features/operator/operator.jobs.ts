import * as z from 'zod/mini';
import { sweepCounts } from '../../platform/operation-counts.ts';
import { sweepErrors } from '../../platform/operation-errors.ts';
import { defineJob, handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { scoreCustomers } from './abuse.ts';
import { createListRepair, type RepairParts } from './repair-lists.ts';
import { followStandings } from './standing.ts';

const scheduled = { payload: z.strictObject({}), expireSeconds: 3_600, retryLimit: 0 } as const;

/** Does what a standing asks of lists, for accounts that got it while a call started a list or a process died. */
const followStandingsJob = defineJob({ name: 'operator.pause-lists', schedule: '* * * * *', ...scheduled });

/** Scores customers whose lists look harvested, and removes old counts and errors. */
const scoreCustomersJob = defineJob({
  name: 'operator.score-customers',
  schedule: '23 * * * *',
  ...scheduled,
});

/** Restarts running lists without a job, so that a defect delays a list by a minute at most. */
const repairListsJob = defineJob({ name: 'operator.repair-lists', schedule: '* * * * *', ...scheduled });

export function operatorHandlers(parts: RepairParts): JobHandler[] {
  const repairLists = createListRepair(parts);
  return [
    handleJob(followStandingsJob, { concurrency: 1 }, () => followStandings(parts)),
    handleJob(repairListsJob, { concurrency: 1 }, (_, { signal }) => repairLists(signal)),
    handleJob(scoreCustomersJob, { concurrency: 1 }, async (_, { signal }) => {
      await scoreCustomers(parts, signal);
      await sweepCounts(parts.db, parts.clock.now());
      await sweepErrors(parts.db, parts.clock.now());
    }),
  ];
}
