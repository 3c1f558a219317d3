import { createDatabase } from '@assay/postgres/testing/database';
import { expect, it } from 'vitest';
import { openDatabase, sweepExpired } from './database.ts';

it('sweepExpired deletes what has run out, and nothing else', async () => {
  const database = await openDatabase(await createDatabase());
  const now = new Date('2026-11-15T12:00:00Z');
  const [past, future] = [new Date(now.getTime() - 1000), new Date(now.getTime() + 1000)];
  for (const [name, expiresAt] of [
    ['past', past],
    ['future', future],
  ] as const) {
    await database.query(
      `INSERT INTO identity.records (model, id_hash, payload, expires_at) VALUES ('Session', $1, '{}', $2)`,
      [name, expiresAt],
    );
    await database.query(
      `INSERT INTO identity.attempts (bucket, hits, admitted, expires_at) VALUES ($1, '{}', true, $2)`,
      [name, expiresAt],
    );
    await database.query(
      `INSERT INTO identity.pending_steps (interaction_uid, step, attempts_left, expires_at) VALUES ($1, '{}', 5, $2)`,
      [name, expiresAt],
    );
  }

  await sweepExpired(database, now);

  const { rows } = await database.query(`
    SELECT id_hash AS name FROM identity.records UNION ALL SELECT bucket FROM identity.attempts
    UNION ALL SELECT interaction_uid FROM identity.pending_steps`);
  expect(rows).toEqual([{ name: 'future' }, { name: 'future' }, { name: 'future' }]);
  await database.end();
});

it('openDatabase fails, and lets go of its connections, when the address is wrong', async () => {
  const url = new URL(await createDatabase());
  url.pathname = '/not_there';
  await expect(openDatabase(url.href)).rejects.toThrow('does not exist');
});
