import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { type Database, openDatabase } from './database.ts';

describe('statements that run often', () => {
  let test: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.close());
  beforeEach(() => {
    database = openDatabase({
      url: test.url,
      poolSize: 1,
      applicationName: 'assay test',
      plansOnce: true,
      onIdleError: () => undefined,
    });
    return () => database.close();
  });

  const namedTexts = async () => {
    const { rows } = await database.pool.query('select statement from pg_prepared_statements');
    return rows.map(({ statement }) => statement as string);
  };
  const runTimes = async (times: number, statement: (value: number) => ReturnType<typeof sql>) => {
    for (let time = 0; time < times; time++) await statement(time).execute(database.db);
  };

  it('are planned once for a connection, from the tenth time on', async () => {
    const statement = (value: number) => sql`select ${value}::int as value`;

    await runTimes(9, statement);
    expect(await namedTexts()).toEqual([]);
    await runTimes(3, statement);

    expect(await namedTexts()).toEqual(['select $1::int as value']);
  });

  it('are only those that match, where a process plans the others each time', async () => {
    const worker = openDatabase({
      url: test.url,
      poolSize: 1,
      applicationName: 'assay test',
      plansOnce: /\bholds\b/,
      onIdleError: () => undefined,
    });
    for (let time = 0; time < 12; time++) {
      await sql`select from holds where reference = ${String(time)}`.execute(worker.db);
      await sql`select from list_rows where row_number = ${time}`.execute(worker.db);
    }
    const { rows } = await worker.pool.query('select statement from pg_prepared_statements');
    await worker.close();

    expect(rows).toEqual([{ statement: 'select from holds where reference = $1' }]);
  });

  it('answer with the values of each run', async () => {
    const answers: unknown[] = [];
    for (let value = 0; value < 12; value++) {
      const { rows } = await sql<{ value: number }>`select ${value}::int as value`.execute(database.db);
      answers.push(rows[0]?.value);
    }

    expect(answers).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('get no name when they select all columns, so that a migration may add one', async () => {
    await sql`create table things (id int)`.execute(database.db);
    const findAll = () => sql`select * from things`.execute(database.db);
    for (let time = 0; time < 12; time++) await findAll();

    await sql`alter table things add column name text`.execute(database.db);

    await expect(findAll()).resolves.toMatchObject({ rows: [] });
    await sql`drop table things`.execute(database.db);
  });

  it('get a name when they enqueue jobs, from records whose columns they name', async () => {
    await sql`create table queue.things (id int)`.execute(database.db);
    const records = '[{ "id": 1 }]';
    for (let time = 0; time < 12; time++) {
      await sql`insert into queue.things (id)
        select id from (select * from json_to_recordset(${records}::text::json) as record (id int)) as job returning id`.execute(
        database.db,
      );
    }

    expect(await namedTexts()).toEqual([expect.stringContaining('insert into queue.things')]);
  });

  it('lose their name when a migration changed the type of a column, after one failure', async () => {
    await sql`create table things (id int)`.execute(database.db);
    const findAll = () => sql`select id from things`.execute(database.db);
    for (let time = 0; time < 12; time++) await findAll();

    await sql`alter table things alter column id type bigint`.execute(database.db);

    await expect(findAll()).rejects.toThrow('cached plan');
    await expect(findAll()).resolves.toMatchObject({ rows: [] });
    await sql`drop table things`.execute(database.db);
  });

  it('get no name in a process that plans each time', async () => {
    const worker = openDatabase({
      url: test.url,
      poolSize: 1,
      applicationName: 'assay test',
      onIdleError: () => undefined,
    });
    for (let time = 0; time < 12; time++) await sql`select 1 as value`.execute(worker.db);

    const { rows } = await worker.pool.query('select name from pg_prepared_statements');
    expect(rows).toEqual([]);
    await worker.close();
  });

  it('get no name when each run has another length', async () => {
    for (let length = 1; length <= 20; length++) {
      await sql`select ${sql.join(Array.from({ length }, () => 1))}`.execute(database.db);
    }

    expect(await namedTexts()).toEqual([]);
  });
});
