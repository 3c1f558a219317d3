export { defineReadJob, type JobFile, type ReadJob } from './read-job.ts';
export {
  type FileOrder,
  openReadingPool,
  type Reading,
  type ReadingPool,
  shortFileBytes,
} from './reading-pool.ts';
