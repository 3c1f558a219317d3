export { inTurn } from './in-turn.ts';
export {
  countDeadLetters,
  type FailedJob,
  findDeadLetters,
  findFailingJobs,
  findJobs,
  findListJobs,
  findListsWithoutJobs,
  findOwnersWithoutJobs,
  findQueueLoads,
  hasCompletedJobs,
  type JobsToFind,
  type ListJobs,
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
