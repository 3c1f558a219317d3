import type { Db } from '../../platform/database/database.ts';
import { handleJob, type JobHandler, type JobQueue } from '../../platform/queue/index.ts';
import { type CheckFinder, matchOutcomes } from './match-outcomes.ts';
import { matchOutcomesJob, resumeMatchingJob } from './outcomes.jobs.ts';
import { resumeMatching } from './resume-matching.ts';

interface OutcomesHandlerParts {
  readonly db: Db;
  readonly queue: JobQueue;
  readonly checks: CheckFinder;
}

/** Each keeps PostgreSQL busy for seconds. */
const concurrency = 2;

export const outcomesHandlers = (parts: OutcomesHandlerParts): JobHandler[] => [
  handleJob(matchOutcomesJob, { concurrency }, ({ ownerId }, { signal }) =>
    matchOutcomes(parts, ownerId, signal),
  ),
  handleJob(resumeMatchingJob, { concurrency: 1 }, () => resumeMatching(parts)),
];
