import { sql } from 'kysely';
import type { Client } from 'pg';
import { Gauge } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { withCopyConnection } from './backup/copy-connection.ts';
import type { BackupSummary } from './backup/write-backup.ts';

/** The first half of the advisory lock of a backup that runs; the second is its id. */
const backupLock = 722_123;

interface RecordParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Without a pooler, because the lock belongs to its session. */
  readonly directUrl: string;
}

/** Runs a backup and records how it went, for the operator and the metrics. */
export function recordBackup(
  { db, clock, directUrl }: RecordParts,
  run: (startedAt: Date) => Promise<BackupSummary>,
): Promise<BackupSummary> {
  return withCopyConnection({ url: directUrl, applicationName: 'assay backup record' }, async (client) => {
    const startedAt = clock.now();
    const id = await beginRecord(client, startedAt);
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
  });
}

/** The lock is there before others see the row, and until this connection ends. */
async function beginRecord(client: Client, startedAt: Date): Promise<number> {
  await client.query('begin');
  const { rows } = await client.query<{ id: number }>(
    `insert into backups (started_at, outcome) values ($1, 'running') returning id::int`,
    [startedAt],
  );
  const id = rows[0]?.id ?? 0;
  await client.query('select pg_advisory_lock($1, $2)', [backupLock, id]);
  await client.query('commit');
  return id;
}

/** Records backups as failed whose process died, and returns when they began. */
export async function giveUpDeadBackups({ db, clock }: Pick<RecordParts, 'db' | 'clock'>): Promise<Date[]> {
  const { rows } = await sql<{ started_at: Date }>`
    with running as materialized (select id from backups where outcome = 'running' for update)
    update backups set outcome = 'failed', ended_at = ${clock.now()}
    where id in (select id from running where pg_try_advisory_xact_lock(${backupLock}, id::int))
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
