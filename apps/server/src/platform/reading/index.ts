export type { JobFile, ReadJob } from './read-job.ts';
export {
  type FileOrder,
  openReadingPool,
  type Reading,
  type ReadingPool,
  shortFileBytes,
} from './reading-pool.ts';
