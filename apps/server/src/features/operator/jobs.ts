import { type DeadLetter, type FailingJob, OPERATOR_ROWS_MAX } from '@assay/contract/operator';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/index.ts';
import {
  findDeadLetters,
  findFailingJobs,
  lockDeadLetter,
  removeDeadLetter,
  retryJobNow,
} from '../../platform/queue/index.ts';
import { type ActorAndReason, recordAction } from './actions.ts';
import type { OperatorQueueParts } from './standing.ts';

/** One failure is common: a worker was stopped, a connection broke. */
const triesMin = 3;

export async function listFailingJobs(db: Db): Promise<FailingJob[]> {
  const jobs = await findFailingJobs(db, { triesMin, limit: OPERATOR_ROWS_MAX });
  return jobs.map(({ moment, ...job }) => ({ ...job, next_date: moment.toISOString() }));
}

export async function listDeadLetters(db: Db): Promise<DeadLetter[]> {
  const jobs = await findDeadLetters(db, OPERATOR_ROWS_MAX);
  return jobs.map(({ moment, ...job }) => ({ ...job, date: moment.toISOString() }));
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
