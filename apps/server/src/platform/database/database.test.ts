import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { openDatabase } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('fails the transaction whose connection is cut between two statements, and nothing else', async () => {
  const cut = database.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 10000)`.execute(database.db);
    await sql`select 1`.execute(tx);
  });

  await expect(cut).rejects.toThrow(/connection error|terminat/);
  await expect(sql`select 1`.execute(database.db)).resolves.toBeDefined();
});

it('ends connections that were used past the query builder', async () => {
  const { pool, close } = openDatabase({
    url: database.url,
    poolSize: 1,
    applicationName: 'assay test',
    onIdleError: () => undefined,
  });
  await pool.query('select 1');

  await close();

  expect(pool.totalCount).toBe(0);
});
