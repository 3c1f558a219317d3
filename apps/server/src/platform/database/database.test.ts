import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { openDatabase } from './database.ts';
import { runTransaction } from './run-transaction.ts';

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

it('ends a transaction in which nothing happens any more, so that it keeps no lock', async () => {
  await sql`create table bell (rung int not null)`.execute(database.db);
  await sql`insert into bell (rung) values (0)`.execute(database.db);
  const stopped = openDatabase({
    url: database.url,
    poolSize: 1,
    applicationName: 'assay test',
    idleTransactionMsMax: 50,
    onIdleError: () => undefined,
  });
  const tx = await stopped.db.startTransaction().setIsolationLevel('read committed').execute();
  await sql`update bell set rung = 1`.execute(tx);

  await sql`update bell set rung = rung + 2`.execute(database.db);

  await expect(sql`select 1`.execute(tx)).rejects.toThrow();
  await tx
    .rollback()
    .execute()
    .catch(() => undefined);
  await stopped.close();
  const { rows } = await sql`select rung from bell`.execute(database.db);
  expect(rows).toEqual([{ rung: 2 }]);
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

it('runs a transaction again that was ended to break a deadlock', async () => {
  await sql`create table fruit (name text primary key, picked int not null default 0)`.execute(database.db);
  await sql`insert into fruit (name) values ('apple'), ('quince')`.execute(database.db);
  const bothHaveOne = Promise.withResolvers<void>();
  let havingOne = 0;
  const pick = (first: string, second: string) =>
    runTransaction(database.db, async (tx) => {
      await sql`update fruit set picked = picked + 1 where name = ${first}`.execute(tx);
      havingOne += 1;
      if (havingOne === 2) bothHaveOne.resolve();
      await bothHaveOne.promise;
      await sql`update fruit set picked = picked + 1 where name = ${second}`.execute(tx);
    });

  await Promise.all([pick('apple', 'quince'), pick('quince', 'apple')]);

  const { rows } = await sql`select picked from fruit`.execute(database.db);
  expect(rows).toEqual([{ picked: 2 }, { picked: 2 }]);
});
