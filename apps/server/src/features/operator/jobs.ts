import { type DeadLetter, type FailingJob, type FoundJob, OPERATOR_ROWS_MAX } from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import {
  type FailedJob,
  findDeadLetters,
  findFailingJobs,
  findJobs as findJobsOf,
  type JobsToFind,
  lockDeadLetter,
  removeDeadLetter,
  retryJobNow,
} from '../../platform/queue/index.ts';
import { type ActorAndReason, recordAction } from './actions.ts';
import { describeJobs } from './describe-jobs.ts';
import type { OperatorQueueParts } from './standing.ts';

/** One failure is common: a worker was stopped, a connection broke. */
const triesMin = 3;

export async function listFailingJobs(db: Db): Promise<FailingJob[]> {
  const jobs = await findFailingJobs(db, { triesMin, limit: OPERATOR_ROWS_MAX });
  return inWords(db, jobs, (date) => ({ next_date: date }));
}

export async function listDeadLetters(db: Db): Promise<DeadLetter[]> {
  return inWords(db, await findDeadLetters(db, OPERATOR_ROWS_MAX), (date) => ({ date }));
}

/** A job by its id, or the jobs of a trace, in whatever state. */
export async function findJobs(db: Db, wanted: JobsToFind): Promise<FoundJob[]> {
  const jobs = await findJobsOf(db, wanted, OPERATOR_ROWS_MAX);
  const states = jobs.map(({ state }) => ({ state }));
  const found = await inWords(db, jobs, (date) => ({ date }));
  return found.map((job, place) => ({ ...job, state: states[place]?.state ?? '' }));
}

async function inWords<Moment>(db: Db, jobs: readonly FailedJob[], momentOf: (date: string) => Moment) {
  const words = await describeJobs(db, jobs);
  return jobs.map(({ id, queue, tries, problem, moment }, place) => ({
    id,
    queue,
    tries,
    problem,
    ...(words[place] ?? { words: queue, owner: null }),
    ...momentOf(moment.toISOString()),
  }));
}

/** Tries a failing job again at once. */
export async function retryJobByOperator(
  { db, clock }: OperatorQueueParts,
  by: ActorAndReason,
  jobId: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const queue = await retryJobNow(tx, jobId);
    if (queue === undefined) throw new AppError('job_not_found', { jobId });
    await recordAction(tx, by, { kind: 'job.retried', about: `${queue} ${jobId}`, now: clock.now() });
  });
}

/** Sends a dead letter back to its queue, or removes it. */
export async function settleDeadLetter(
  { db, clock, queue }: OperatorQueueParts,
  by: ActorAndReason,
  jobId: string,
  action: 'retry' | 'discard',
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const source = await lockDeadLetter(tx, jobId);
    if (source === undefined) throw new AppError('job_not_found', { jobId });
    await (action === 'retry' ? queue.retryDeadLetter(tx, jobId) : removeDeadLetter(tx, jobId));
    const kind = action === 'retry' ? 'dead_letter.retried' : 'dead_letter.discarded';
    await recordAction(tx, by, { kind, about: `${source} ${jobId}`, now: clock.now() });
  });
}
