import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeReachableFolder, serverUser } from './reachable-folder.ts';
import { type Postgres, startPostgres } from './server.ts';

const quick = { fsync: 'off', synchronous_commit: 'off' };
const isRoot = process.getuid?.() === 0;

describe('the embedded PostgreSQL', () => {
  /** Made once, since making a cluster takes longer than starting it. */
  let dataDir: string;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    dataDir = join(await makeFolder(), 'data');
    cleanUpsOfFile.push(...cleanUps.splice(0));
  });
  const cleanUpsOfFile: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const cleanUp of cleanUpsOfFile) await cleanUp();
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  const makeFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-postgres-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true }));
    // mkdtemp makes a folder that only we may enter.
    await chmod(folder, 0o755);
    return folder;
  };
  const start = async (dataDir: string): Promise<Postgres> => {
    const server = await startPostgres({ dataDir, settings: quick });
    cleanUps.push(() => server.stop());
    return server;
  };

  it('keeps its data from one start to the next', async () => {
    const first = await start(dataDir);
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();

    const second = await start(dataDir);

    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('takes over a cluster whose server outlived the process that started it', async () => {
    const leftover = await start(dataDir);

    const successor = await start(dataDir);

    expect(successor.pid).not.toBe(leftover.pid);
    expect(await query(successor.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(query(leftover.url, 'select 1')).rejects.toThrow();
  });

  it('makes databases, also as a copy of another', async () => {
    const server = await start(dataDir);
    await query(await server.createDatabase('original'), 'create table t as select 7 as seven');

    const copy = await server.createDatabase('copy', { template: 'original' });

    expect(await query(copy, 'select seven from t')).toEqual([{ seven: 7 }]);
  });

  it('gives the product a role that owns its database and is no superuser', async () => {
    const server = await start(dataDir);
    const database = await server.createDatabase('mine');

    for (const url of [server.url, database]) {
      await query(url, 'create schema stall create table orders (id int)');
      expect(await query(url, rights)).toEqual([{ rights: 'login' }]);
      await expect(query(url, `copy stall.orders to '/tmp/orders'`)).rejects.toThrow('permission denied');
    }
  });

  it('hands the objects of an older cluster, which the superuser owns, to the product', async () => {
    const older = await start(dataDir);
    const asSuperuser = new URL(older.adminUrl);
    asSuperuser.pathname = '/assay';
    await query(
      asSuperuser.href,
      `create schema shop;
       create type shop.kind as enum ('a');
       create sequence shop.numbers;
       create table shop.orders (id int generated always as identity, kind shop.kind);
       create view shop.all_orders as select id from shop.orders;
       create function shop.one() returns int language sql as 'select 1';
       alter database assay owner to assay`,
    );
    await older.stop();

    const { url } = await start(dataDir);

    // Only owners may drop.
    await query(
      url,
      `drop function shop.one(); drop view shop.all_orders; drop table shop.orders; drop sequence shop.numbers;
       drop type shop.kind; drop schema shop`,
    );
    expect(await query(url, rights)).toEqual([{ rights: 'login' }]);
  });

  it('keeps its folder shut to other users', async () => {
    await start(dataDir);

    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  it('ends with the process that started it, even when that is killed', async () => {
    const program = `const { startPostgres } = await import(${JSON.stringify(import.meta.resolve('./server.ts'))});
      const { pid } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: 'off' } });
      console.log(pid);`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = await once(starter.stdout, 'data');
    starter.kill('SIGKILL');

    await vi.waitUntil(() => !isAlive(Number(printed)), { timeout: 50_000, interval: 50 });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'resolves `lost` when %s from elsewhere ends it',
    async (signal) => {
      const server = await start(dataDir);
      const client = new pg.Client({ connectionString: server.url });
      client.on('error', () => undefined);
      // After SIGTERM the server waits for this session.
      await client.connect();

      process.kill(server.pid, signal);

      expect(await server.lost).toEqual({ wasAsked: signal !== 'SIGKILL' });
      await server.stop();
      await client.end();
    },
  );

  it('is not stopped by a customer who makes the log quote a shutdown request', async () => {
    const server = await start(dataDir);
    const line = '2026-11-15 12:00:00.000 UTC [1] LOG:  received fast shutdown request';
    const quoted = `select cast('${line}\n${line}\r${line}\n' as int)`;
    await expect(query(server.url, quoted)).rejects.toThrow('shutdown request');

    process.kill(server.pid, 'SIGKILL');

    expect(await server.lost).toEqual({ wasAsked: false });
  });

  it.runIf(isRoot)('runs as another user where only root may enter the data folder', async () => {
    const folder = await makeFolder();
    await chmod(folder, 0o700);
    const closedDir = join(folder, 'data');
    const place = await makeReachableFolder(closedDir, serverUser());
    cleanUps.push(() => rm(place, { recursive: true, force: true }));

    const server = await start(closedDir);

    expect(place).not.toBe(closedDir);
    // Opening the folder later does not start an empty database there.
    await chmod(folder, 0o755);
    expect(await makeReachableFolder(closedDir, serverUser())).toBe(place);
    expect(await query(server.url, 'select current_database() as name')).toEqual([{ name: 'assay' }]);
  });
});

const rights = `select concat_ws(' ', case when rolcanlogin then 'login' end, case when rolsuper then 'superuser' end,
  case when rolcreatedb then 'createdb' end, case when rolcreaterole then 'createrole' end,
  case when rolreplication then 'replication' end, case when rolbypassrls then 'bypassrls' end) as rights
  from pg_roles where rolname = current_user`;

/** A dead process whose parent has not asked for it yet still has its number. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  // A server that is stopped under an open session reports it as an event too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
