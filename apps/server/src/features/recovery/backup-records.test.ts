import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { giveUpDeadBackups, recordBackup, showLastBackup } from './backup-records.ts';

it('gives up backups whose process died, and none that runs, however early or late it is', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { db, pool, url: directUrl } = database;
  const parts = { db, clock: systemClock, directUrl };
  const killedAt = new Date('2026-11-01T03:00:00Z');
  await pool.query(`insert into backups (started_at, outcome) values ($1, 'running')`, [killedAt]);
  const givenUp: Date[][] = [];
  const summary = { byteCount: 1, rowCount: 1, tableCount: 1, fileCount: 0 };

  // Before the backup has a connection for its rows, and after that connection has ended.
  await recordBackup(parts, async () => {
    givenUp.push(...(await Promise.all([giveUpDeadBackups(parts), giveUpDeadBackups(parts)])));
    return summary;
  });
  givenUp.push(await giveUpDeadBackups(parts));

  expect(givenUp.flat()).toEqual([killedAt]);
  const { rows } = await pool.query('select outcome, started_at from backups order by id');
  expect(rows).toMatchObject([{ outcome: 'failed' }, { outcome: 'complete' }]);
  const metrics = createMetrics();
  showLastBackup(metrics, db);
  expect(await metrics.registry.metrics()).toContain(
    `assay_last_backup_timestamp_seconds ${rows[1].started_at.getTime() / 1_000}\n`,
  );
});
