import { OUTCOMES } from '@assay/contract';
import type { Db } from '../../platform/database/database.ts';
import { handleJob, type JobHandler, type JobQueue } from '../../platform/queue/index.ts';
import { type CheckFinder, matchOutcomes } from './match-outcomes.ts';
import { keepNewestOutcomes } from './old-outcomes.store.ts';
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
  handleJob(matchOutcomesJob, { concurrency }, async ({ ownerId }, { signal }) => {
    await matchOutcomes(parts, ownerId, signal);
    await keepNewestOutcomes(parts.db, { ownerId, keptMax: OUTCOMES.keptMax }, signal);
  }),
  handleJob(resumeMatchingJob, { concurrency: 1 }, () => resumeMatching(parts)),
];
