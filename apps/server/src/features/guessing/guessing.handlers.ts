import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import {
  finishGuessListJob,
  proveDeferredJob,
  proveListJob,
  proveSingleJob,
  resumeGuessListJob,
  sweepGuessingJob,
} from './guessing.jobs.ts';
import { finishGuessList } from './lists/finish-guess-list.ts';
import { removeExpiredUploads } from './lists/guess-uploads.ts';
import { peopleLists } from './lists/people-lists.ts';
import { resumeGuessList } from './lists/resume-guess-list.ts';
import { type ProveWork, proveGuesses } from './prove-guesses.ts';

// These are jobs. A job of a list has the people of one chunk.
const jobsAtATime = { single: 8, list: 8, deferred: 4, resume: 2, finish: 2 } as const;

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
    handleJob(resumeGuessListJob, { concurrency: jobsAtATime.resume }, (payload) =>
      resumeGuessList(parts, payload),
    ),
    handleJob(finishGuessListJob, { concurrency: jobsAtATime.finish }, (place) =>
      finishGuessList(parts, place),
    ),
    handleJob(sweepGuessingJob, { concurrency: 1 }, async (_, { signal }) => {
      await removeExpiredUploads(parts);
      await peopleLists.finishForgotten(parts, signal);
    }),
  ];
}
