import type { Db } from '../../platform/database/database.ts';
import { findOwnersWithoutJobs, type JobQueue } from '../../platform/queue/index.ts';
import { matchOutcomesJob } from './outcomes.jobs.ts';

interface ResumeParts {
  readonly db: Db;
  readonly queue: JobQueue;
}

/** Enqueues the job of each customer who has outcomes that are not matched, and no job for them. */
export async function resumeMatching({ db, queue }: ResumeParts): Promise<void> {
  const behind = await db
    .selectFrom('outcome_counters')
    .select('owner_id')
    .whereRef('matched_number', '<', 'last_number')
    .execute();
  // Read after the counters: outcomes and their job are committed together, so that none of these jobs is missed.
  const without = await findOwnersWithoutJobs(db, {
    ownerIds: behind.map(({ owner_id }) => owner_id),
    queue: matchOutcomesJob.name,
  });
  const jobs = without.map((ownerId) => ({ payload: { ownerId } }));
  await db.transaction().execute((tx) => queue.enqueueMany(tx, matchOutcomesJob, jobs));
}
