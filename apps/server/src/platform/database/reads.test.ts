import { freePort } from '@assay/postgres/testing/free-port';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { movableClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createReplicaLike, replicaSchema } from '../../testing/replica.ts';
import type { Schedule } from '../clock.ts';
import { createLogger } from '../logging/index.ts';
import { openReads, type Reading } from './reads.ts';

let database: TestDatabase;
let replica: Awaited<ReturnType<typeof createReplicaLike>>;
const clock = movableClock();
let logged: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  replica = await createReplicaLike(database);
  await database.pool.query(`
    create table fruit (name text); insert into fruit values ('primary');
    create table ${replicaSchema}.fruit (name text); insert into ${replicaSchema}.fruit values ('replica')`);
});
afterAll(() => database.close());
beforeEach(async () => {
  logged = [];
  await replica.replayTo('FFFFFFFF/FFFFFFFF');
});

const open = (replicaUrl: string | null, schedule: Schedule = atOnce) =>
  openReads({
    primary: database,
    replicaUrl,
    poolSize: 2,
    clock,
    schedule,
    logger: createLogger({
      level: 'warn',
      process: 'test',
      destination: { write: (line) => logged.push(line) },
    }),
  });
const atOnce: Schedule = (task) => {
  setImmediate(task);
  return () => undefined;
};
const sourceOf = (reading: Reading) =>
  reading.read(
    async ({ pool }) => (await pool.query<{ name: string }>('select name from fruit')).rows[0]?.name,
  );

it('reads at the replica what it has replayed, and at the primary without a replica', async () => {
  const [reads, alone] = [open(replica.url), open(null)];

  expect(await sourceOf(await reads.begin())).toBe('replica');
  expect(await sourceOf(await alone.begin())).toBe('primary');
  await reads.close();
});

it('waits for a replica that is a little behind', async () => {
  await replica.replayTo('0/0');
  let waits = 0;
  const reads = open(replica.url, (task) => {
    waits += 1;
    void replica.replayTo('FFFFFFFF/FFFFFFFF').then(task);
    return () => undefined;
  });

  expect(await sourceOf(await reads.begin())).toBe('replica');
  expect(waits).toBe(1);
  await reads.close();
});

it('reads at the primary while the replica is late, and tries it again after ten seconds', async () => {
  await replica.replayTo('0/0');
  const reads = open(replica.url);

  expect(await sourceOf(await reads.begin())).toBe('primary');
  expect(logged).toEqual([expect.stringContaining('the replica is late')]);
  await replica.replayTo('FFFFFFFF/FFFFFFFF');
  clock.advance({ seconds: 9 });
  expect(await sourceOf(await reads.begin())).toBe('primary');
  clock.advance({ seconds: 1 });
  expect(await sourceOf(await reads.begin())).toBe('replica');
  await reads.close();
});

it('reads at the primary while the replica is away, or is no replica', async () => {
  const away = new URL(database.url);
  away.port = String(await freePort());
  for (const url of [away.href, database.url]) {
    const reads = open(url);
    expect(await sourceOf(await reads.begin())).toBe('primary');
    await reads.close();
  }
  expect(logged).toEqual([
    expect.stringContaining('the replica cannot be used'),
    expect.stringContaining('the replica is late'),
  ]);
});

it('repeats a read that fails at the replica at the primary, and stays there', async () => {
  const reads = open(replica.url);
  const reading = await reads.begin();
  expect(await sourceOf(reading)).toBe('replica');

  const written = await reading.read(({ pool }) => pool.query(`insert into fruit values ('quince')`));

  expect(written.rowCount).toBe(1);
  expect(await sourceOf(reading)).toBe('primary');
  expect(await sourceOf(await reads.begin()), 'the next one').toBe('replica');
  await expect(reading.read(({ pool }) => pool.query('select nothing'))).rejects.toThrow('"nothing"');
  await reads.close();
});
