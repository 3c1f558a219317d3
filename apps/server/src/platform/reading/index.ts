export type { JobFile, ReadJob } from './read-job.ts';
export {
  type FileOrder,
  openReadingPool,
  type ReadingPool,
  type StartedJob,
  shortFileBytes,
} from './reading-pool.ts';
