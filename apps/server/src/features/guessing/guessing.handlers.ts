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
import { removeOldUploads } from './lists/guess-lists.store.ts';
import { peopleLists } from './lists/people-lists.ts';
import { resumeGuessList } from './lists/resume-guess-list.ts';
import { type ProveWork, proveGuesses } from './prove-guesses.ts';

// These are jobs, most of which only wait for mail hosts. A job of a list has the people of one chunk.
const jobsAtATime = { single: 200, list: 60, deferred: 32, resume: 4, finish: 4 } as const;

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
      await removeOldUploads(parts.db, parts.clock.now());
      await peopleLists.control.finishForgotten(parts, signal);
    }),
  ];
}
