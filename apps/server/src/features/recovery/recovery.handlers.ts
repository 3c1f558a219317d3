import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { handleJob, type JobHandler } from '../../platform/queue/index.ts';
import { showLastBackup } from './backup-records.ts';
import { logDeletions } from './deletion-log.ts';
import { logDeletionsJob } from './recovery.jobs.ts';

export interface RecoveryHandlerParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly metrics: Metrics;
}

export function recoveryHandlers(parts: RecoveryHandlerParts): JobHandler[] {
  showLastBackup(parts.metrics, parts.db);
  return [handleJob(logDeletionsJob, { concurrency: 1 }, (_, { signal }) => logDeletions(parts, signal))];
}
