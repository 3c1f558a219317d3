import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { makeReachableFolder, serverUser } from './reachable-folder.ts';
import { type Postgres, startPostgres } from './server.ts';

const quick = { fsync: 'off', synchronous_commit: 'off' };
const isRoot = process.getuid?.() === 0;

describe('the embedded PostgreSQL', () => {
  const cleanUps: (() => Promise<unknown>)[] = [];
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
    const folder = await makeFolder();
    const first = await start(join(folder, 'data'));
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();

    const second = await start(join(folder, 'data'));

    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('takes over a cluster whose server outlived the process that started it', async () => {
    const folder = await makeFolder();
    const leftover = await start(join(folder, 'data'));

    const successor = await start(join(folder, 'data'));

    expect(successor.pid).not.toBe(leftover.pid);
    expect(await query(successor.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(query(leftover.url, 'select 1')).rejects.toThrow();
  });

  it('makes databases, also as a copy of another', async () => {
    const folder = await makeFolder();
    const server = await start(join(folder, 'data'));
    await query(await server.createDatabase('original'), 'create table t as select 7 as seven');

    const copy = await server.createDatabase('copy', { template: 'original' });

    expect(await query(copy, 'select seven from t')).toEqual([{ seven: 7 }]);
  });

  it.runIf(isRoot)('runs as another user where only root may enter the data folder', async () => {
    const folder = await makeFolder();
    await chmod(folder, 0o700);
    const dataDir = join(folder, 'data');
    const place = await makeReachableFolder(dataDir, serverUser());
    cleanUps.push(() => rm(place, { recursive: true, force: true }));

    const server = await start(dataDir);

    expect(place).not.toBe(dataDir);
    expect(await query(server.url, 'select current_database() as name')).toEqual([{ name: 'assay' }]);
  });
});

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
