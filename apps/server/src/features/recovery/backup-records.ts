import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { type BackupSummary, backupSession } from './backup/write-backup.ts';

/** Runs a backup and records how it went, for the operator and the metrics. */
export async function recordBackup(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  run: (startedAt: Date) => Promise<BackupSummary>,
): Promise<BackupSummary> {
  const startedAt = clock.now();
  const { id } = await db
    .insertInto('backups')
    .values({ started_at: startedAt, outcome: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const end = (outcome: 'complete' | 'failed', counts: { byte_count?: number; row_count?: number } = {}) =>
    db
      .updateTable('backups')
      .set({ outcome, ended_at: clock.now(), ...counts })
      .where('id', '=', id)
      .execute();
  try {
    const summary = await run(startedAt);
    await end('complete', { byte_count: summary.byteCount, row_count: summary.rowCount });
    return summary;
  } catch (error) {
    await end('failed').catch(() => undefined);
    throw error;
  }
}

/** Records backups as failed whose process died, and returns when they began. */
export async function giveUpDeadBackups({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<Date[]> {
  const { rows } = await sql<{ started_at: Date }>`
    update backups set outcome = 'failed', ended_at = ${clock.now()}
    where outcome = 'running' and not exists (
      select from pg_stat_activity where datname = current_database() and application_name = ${backupSession})
    returning started_at`.execute(db);
  return rows.map((row) => row.started_at);
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
