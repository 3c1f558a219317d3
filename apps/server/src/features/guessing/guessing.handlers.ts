import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { proveDeferredJob, proveListJob, proveSingleJob, sweepGuessingJob } from './guessing.jobs.ts';
import { removeExpiredUploads } from './lists/guess-uploads.ts';
import { type ProveWork, proveGuesses } from './prove-guesses.ts';

// These are jobs. A job of a list has the people of one chunk.
const jobsAtATime = { single: 8, list: 8, deferred: 4 } as const;

export function guessingHandlers(parts: ProveWork): JobHandler[] {
  const prove = [
    { job: proveSingleJob, concurrency: jobsAtATime.single },
    { job: proveListJob, concurrency: jobsAtATime.list },
    { job: proveDeferredJob(parts.egress), concurrency: jobsAtATime.deferred },
  ];
  return [
    ...prove.map(({ job, concurrency }) =>
      handleJob(job, { concurrency }, (payload, { signal }) => proveGuesses(parts, payload, signal)),
    ),
    handleJob(sweepGuessingJob, { concurrency: 1 }, () => removeExpiredUploads(parts)),
  ];
}
