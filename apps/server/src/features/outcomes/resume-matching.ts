import type { Db } from '../../platform/database/database.ts';
import { findOwnersWithoutJobs, type JobQueue } from '../../platform/queue/index.ts';
import { matchOutcomesJob } from './outcomes.jobs.ts';
import { findOwnersBehind } from './outcomes.store.ts';

interface ResumeParts {
  readonly db: Db;
  readonly queue: JobQueue;
}

/** Enqueues the job of each customer who has outcomes that are not matched, and no job for them. */
export async function resumeMatching({ db, queue }: ResumeParts): Promise<void> {
  const ownerIds = await findOwnersBehind(db);
  // Read after the counters: outcomes and their job are committed together, so that none of these jobs is missed.
  const without = await findOwnersWithoutJobs(db, {
    ownerIds,
    queue: matchOutcomesJob.name,
  });
  const jobs = without.map((ownerId) => ({ payload: { ownerId } }));
  await db.transaction().execute((tx) => queue.enqueueMany(tx, matchOutcomesJob, jobs));
}
