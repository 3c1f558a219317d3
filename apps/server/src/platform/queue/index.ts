export { inTurn } from './in-turn.ts';
export {
  countDeadLetters,
  type FailedJob,
  findDeadLetters,
  findFailingJobs,
  findJobs,
  findJobsAbout,
  findOwnersWithoutJobs,
  findQueueLoads,
  findSubjectsWithoutJobs,
  hasCompletedJobs,
  type JobsAbout,
  type JobsToFind,
  lockDeadLetter,
  moveJobs,
  removeDeadLetter,
  retryJobNow,
} from './inspect.ts';
export { defineJob, handleJob, type JobDefinition, type JobHandler, type JobRun } from './job.ts';
export {
  type JobQueue,
  openQueue,
  openWorkQueue,
  type QueueOptions,
  type WorkQueue,
} from './queue.ts';
export { lastPlace } from './take-jobs.ts';
