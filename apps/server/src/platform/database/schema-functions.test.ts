import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBareDatabase, createTestDatabase } from '../../testing/database.ts';
import { migrate, schemaFunctions } from './migrate.ts';
import { digestOf } from './schema-functions.ts';

const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** As PostgreSQL describes it, whoever made it. */
const schemaOf = async (client: Pick<pg.Client, 'query'>): Promise<string[]> => {
  const { rows } = await client.query<{ line: string }>(
    `select pg_get_functiondef(oid) as line from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
     union all select 'aggregate ' || oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'a'
     union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = tgrelid
       where relnamespace = 'public'::regnamespace and not tgisinternal and tgparentid = 0
     order by 1`,
  );
  return rows.map(({ line }) => line);
};

describe('the files of functions', () => {
  it('declare every function and trigger of the database, each once', async () => {
    const database = await createTestDatabase();
    const { rows } = await database.pool.query<{ name: string }>(
      `select 'function ' || proname as name from pg_proc where pronamespace = 'public'::regnamespace
       union all select format('trigger %s on %s', tgname, relname) from pg_trigger t join pg_class c on c.oid = tgrelid
         where relnamespace = 'public'::regnamespace and not tgisinternal and tgparentid = 0`,
    );
    await database.close();
    const declared = (await schemaFunctions()).all.map(({ name }) => name);
    expect(declared.sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('have a version of their own: raise it with each change, and write the new digest', async () => {
    const functions = await schemaFunctions();
    const text = await readFile(join(migrationsFolder, 'functions/version.json'), 'utf8');
    expect(JSON.parse(text)).toEqual({ version: functions.version, sha256: digestOf(functions) });
  });

  it('make the same database of an installation as of an empty one', async () => {
    const [fresh, upgraded] = [await createTestDatabase(), await createTestDatabase()];
    await upgraded.pool.query(`
      create or replace function refuse_ledger_change() returns trigger language plpgsql as 'begin return null; end';
      create function of_before() returns trigger language plpgsql as 'begin return null; end';
      create trigger of_before after insert on users for each row execute function of_before();
      drop trigger open_own_account on users;
      update schema_functions set sha256 = 'other';
      insert into schema_functions values ('function of_before', '', 1), ('trigger of_before on users', '', 1)`);

    await migrate(upgraded.url);

    expect(await schemaOf(upgraded.pool)).toEqual(await schemaOf(fresh.pool));
    expect(await migrate(upgraded.url)).toEqual([]);
    await Promise.all([fresh.close(), upgraded.close()]);
  });

  it('are applied to an installation of before they were files', async () => {
    const database = await createBareDatabase();
    onTestFinished(() => database.drop());
    const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql'));
    for (const name of names) await cp(join(migrationsFolder, name), join(folder, name));
    await migrate(database.url, folder);

    const applied = await migrate(database.url);

    expect(applied).toEqual((await schemaFunctions()).all.map(({ name }) => name));
  });
});

describe('functions of a folder', () => {
  const first = `-- Fruit that is eaten.
create or replace function ripen() returns trigger language plpgsql as $$
begin
  new.name := new.name || '!';
  return new;
end $$;

-- Before it is stored.
create or replace trigger ripen before insert on fruit
  for each row execute function ripen();
`;

  async function setUp() {
    const database = await createBareDatabase();
    onTestFinished(() => database.drop());
    const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(
      join(folder, '0001_fruit.sql'),
      'create table fruit (name text); create table vegetables (name text);',
    );
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    /** A release with these functions. */
    const release = async (version: number, files: Record<string, string>) => {
      const functions = join(folder, 'functions');
      await rm(functions, { recursive: true, force: true });
      await mkdir(functions);
      await writeFile(join(functions, 'version.json'), JSON.stringify({ version }));
      for (const [name, text] of Object.entries(files)) await writeFile(join(functions, name), text);
      return migrate(database.url, folder);
    };
    const plant = async (name: string) =>
      (await client.query('insert into fruit values ($1) returning name', [name])).rows[0].name;
    return { client, release, plant };
  }

  it('are applied after the migrations, again when their text changes, and not otherwise', async () => {
    const { release, plant } = await setUp();

    expect(await release(1, { 'fruit.sql': first })).toEqual([
      '0001_fruit.sql',
      'function ripen',
      'trigger ripen on fruit',
    ]);
    expect(await plant('quince')).toBe('quince!');
    expect(await release(1, { 'fruit.sql': first })).toEqual([]);
    expect(await release(2, { 'fruit.sql': first.replace("'!'", "'?'") })).toEqual(['function ripen']);
    expect(await plant('medlar')).toBe('medlar?');
    expect(await release(3, { 'renamed.sql': `\n${first.replace("'!'", "'?'")}` })).toEqual([]);
  });

  it('of a newer release are left by processes of an older one, which start while it is replaced', async () => {
    const { release, plant } = await setUp();
    const newer = {
      'fruit.sql': first.replace("'!'", "'?'"),
      'more.sql': first.replaceAll('ripen', 'wither'),
    };
    await release(2, newer);

    expect(await release(1, { 'fruit.sql': first })).toEqual([]);
    expect(await plant('sloe')).toBe('sloe?!');
    expect(await release(2, newer)).toEqual([]);
  });

  it('are dropped when no file declares them, also those of tables that are gone', async () => {
    const { client, release } = await setUp();
    const nested = `create or replace function inner_part() returns int language sql as 'select 1';
create or replace function outer_part() returns int language sql return inner_part();
create or replace aggregate all_of(int) (sfunc = int4pl, stype = int);
`;
    const onVegetables = first.replaceAll('ripen', 'cook').replace('on fruit', 'on vegetables');
    await release(1, { 'a.sql': first, 'b.sql': nested, 'c.sql': onVegetables });
    await client.query('drop table vegetables');

    const applied = await release(2, { 'a.sql': first });

    expect(applied.sort()).toEqual(
      [
        'function all_of',
        'function cook',
        'function inner_part',
        'function outer_part',
        'trigger cook on vegetables',
      ].map((name) => `${name}, dropped`),
    );
    expect(await schemaOf(client)).toHaveLength(2);
    expect((await client.query('select name, version from schema_functions order by name')).rows).toEqual([
      { name: 'function ripen', version: 2 },
      { name: 'trigger ripen on fruit', version: 2 },
    ]);
  });

  it('that fail are named, and those of before stay', async () => {
    const { release, plant } = await setUp();
    await release(1, { 'fruit.sql': first });
    const broken = first.replace("'!'", "'?'").replace('on fruit', 'on fruits');

    await expect(release(2, { 'fruit.sql': broken })).rejects.toThrow(/trigger ripen on fruits failed: /);
    expect(await plant('quince')).toBe('quince?');
    expect(await release(2, { 'fruit.sql': first })).toEqual(['function ripen']);
  });

  it('are refused with a statement that is none', async () => {
    const { release } = await setUp();
    await expect(release(1, { 'fruit.sql': 'create or replace view f as select 1;' })).rejects.toThrow(
      'This is no function, aggregate or trigger: create or replace view f as select 1;',
    );
  });
});
