import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, isLockHere, type TestDatabase } from '../../testing/database.ts';
import { createLogger } from '../logging/index.ts';
import { announcePresence, presenceLock } from './presence.ts';

describe('announcePresence', () => {
  let database: TestDatabase;
  let logged: string[];

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const announce = (databaseUrl: string) => {
    logged = [];
    return announcePresence({
      databaseUrl,
      applicationName: 'assay test presence',
      sql: { executeSql: (text, values) => database.pool.query(text, values) },
      logger: createLogger({
        level: 'info',
        process: 'test',
        destination: { write: (line: string) => void logged.push(line) },
      }),
      onJobs: () => undefined,
      lockWaitMs: 100,
    });
  };
  const countLogged = (text: string) => logged.filter((line) => line.includes(text)).length;

  it('leaves no waiting backend behind while the server still keeps its broken connection', async () => {
    const presence = await announce(database.url);
    const { rows } = await database.pool.query(
      `select pid, objid from pg_locks where locktype = 'advisory' and classid = $1 and ${isLockHere}`,
      [presenceLock],
    );
    // Stands in for the broken connection: it takes the lock when the worker loses it.
    const broken = new pg.Client({ connectionString: database.url });
    await broken.connect();
    const taken = broken.query('select pg_advisory_lock($1, $2)', [presenceLock, rows[0]?.objid]);
    await expect.poll(async () => (await waiting()).length).toBe(1);
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await taken;

    await expect.poll(() => countLogged('lost a direct')).toBeGreaterThan(3);

    expect((await waiting()).length).toBeLessThanOrEqual(1);
    await broken.end();
    await expect.poll(() => countLogged('"listening"')).toBe(2);
    await presence.close();
  });

  it('fails when it cannot connect at the start', async () => {
    const elsewhere = new URL(database.url);
    elsewhere.pathname = '/missing';

    await expect(announce(elsewhere.href)).rejects.toThrow('no direct connection');
  });

  const waiting = async () =>
    (
      await database.pool.query(
        `select pid from pg_locks where locktype = 'advisory' and classid = $1 and not granted and ${isLockHere}`,
        [presenceLock],
      )
    ).rows;
});
