import type { Db } from '../../platform/database/database.ts';
import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { type CheckFinder, matchOutcomes } from './match-outcomes.ts';
import { matchOutcomesJob } from './outcomes.jobs.ts';

/** Each keeps PostgreSQL busy for seconds. */
const concurrency = 2;

export const outcomesHandlers = (parts: { readonly db: Db; readonly checks: CheckFinder }): JobHandler[] => [
  handleJob(matchOutcomesJob, { concurrency }, ({ ownerId }, { signal }) =>
    matchOutcomes(parts, ownerId, signal),
  ),
];
