import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBareDatabase, isLockHere } from '../../testing/database.ts';
import { migrate } from './migrate.ts';

describe('migrate', () => {
  let database: Awaited<ReturnType<typeof createBareDatabase>>;
  let folder: string;

  beforeEach(async () => {
    database = await createBareDatabase();
    folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'));
    await writeFile(join(folder, '0001_first.sql'), 'create table fruit (name text);');
    await writeFile(join(folder, '0002_second.sql'), "insert into fruit values ('quince');");
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const rows = async (sql: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const result = await client.query(sql);
    await client.end();
    return result.rows;
  };

  it('applies files in order of their names, and each only once', async () => {
    expect(await migrate(database.url, folder)).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await migrate(database.url, folder)).toEqual([]);
    expect(await rows('select name from fruit')).toEqual([{ name: 'quince' }]);
  });

  it('lets processes that start together apply each file once between them', async () => {
    const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url, folder)));

    expect(applied.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await rows('select name from fruit')).toHaveLength(1);
  });

  it('leaves nothing of a file that fails, and names it', async () => {
    await writeFile(join(folder, '0003_broken.sql'), 'create table half (id int); select nonsense;');

    await expect(migrate(database.url, folder)).rejects.toThrow(/0003_broken\.sql failed/);
    expect(await rows("select to_regclass('half') as half")).toEqual([{ half: null }]);
  });

  it('refuses a file that was changed after it was applied', async () => {
    await migrate(database.url, folder);
    await writeFile(join(folder, '0002_second.sql'), "insert into fruit values ('medlar');");

    await expect(migrate(database.url, folder)).rejects.toThrow(/0002_second\.sql was changed/);
  });

  it('tries again while a table is in use, and lets others use it between the tries', async () => {
    await migrate(database.url, folder);
    await writeFile(join(folder, '0003_third.sql'), 'alter table fruit add column colour text;');
    const user = new pg.Client({ connectionString: database.url });
    await user.connect();
    await user.query('begin');
    await user.query('select from fruit');

    const migration = migrate(database.url, folder, { waitMs: 20, pauseMs: 1, triesMax: 100_000 });
    await vi.waitFor(async () => expect(await rows(waitingForFruit)).toHaveLength(1), waiting);
    expect(await rows('select name from fruit')).toEqual([{ name: 'quince' }]);
    await user.query('commit');
    await user.end();

    expect(await migration).toEqual(['0003_third.sql']);
  });

  it('tries again after a deadlock', async () => {
    await migrate(database.url, folder);
    // A sequence keeps its count when a try is rolled back.
    await rows('create sequence tries');
    await writeFile(
      join(folder, '0003_third.sql'),
      `do $$ begin
         if nextval('tries') < 3 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
       end $$;`,
    );

    const applied = await migrate(database.url, folder, { waitMs: 1_000, pauseMs: 1, triesMax: 3 });

    expect(applied).toEqual(['0003_third.sql']);
    expect(await rows('select last_value::int as tries from tries')).toEqual([{ tries: 3 }]);
  });

  it('gives up and says which file when a table stays in use', async () => {
    await migrate(database.url, folder);
    await writeFile(join(folder, '0003_third.sql'), 'alter table fruit add column colour text;');
    const user = new pg.Client({ connectionString: database.url });
    await user.connect();
    await user.query('begin');
    await user.query('select from fruit');

    const migration = migrate(database.url, folder, { waitMs: 1, pauseMs: 1, triesMax: 2 });
    await expect(migration).rejects.toThrow(/0003_third\.sql failed: .*lock timeout/);
    await user.end();
  });
});

const waitingForFruit = `select from pg_locks where relation = 'fruit'::regclass and not granted and ${isLockHere}`;
const waiting = { timeout: 60_000, interval: 1 };
