import { Gauge } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import type { BackupSummary } from './backup/write-backup.ts';

/** Runs a backup and records how it went, for the operator and the metrics. */
export async function recordBackup(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  run: () => Promise<BackupSummary>,
): Promise<BackupSummary> {
  const { id } = await db
    .insertInto('backups')
    .values({ started_at: clock.now(), outcome: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const end = (outcome: 'complete' | 'failed', counts: { byte_count?: number; row_count?: number } = {}) =>
    db
      .updateTable('backups')
      .set({ outcome, ended_at: clock.now(), ...counts })
      .where('id', '=', id)
      .execute();
  try {
    const summary = await run();
    await end('complete', { byte_count: summary.byteCount, row_count: summary.rowCount });
    return summary;
  } catch (error) {
    await end('failed').catch(() => undefined);
    throw error;
  }
}

/** Undefined without a complete backup. */
async function findLastBackup(db: Db): Promise<Date | undefined> {
  const last = await db
    .selectFrom('backups')
    .select('started_at')
    .where('outcome', '=', 'complete')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.started_at;
}

/** Read from the database whenever Prometheus collects it, so that all workers tell the same. */
export function showLastBackup({ registry }: Metrics, db: Db): void {
  new Gauge({
    name: 'assay_last_backup_timestamp_seconds',
    help: 'When the last complete backup began, in seconds of Unix time; 0 without one.',
    registers: [registry],
    async collect() {
      const last = await findLastBackup(db).catch(() => null);
      if (last !== null) this.set((last?.getTime() ?? 0) / 1_000);
    },
  });
}
