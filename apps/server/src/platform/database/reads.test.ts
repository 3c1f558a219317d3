import { freePort } from '@assay/postgres/testing/free-port';
import { sql } from 'kysely';
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

const open = (replicaUrl: string | null, schedule: Schedule = looksAtOnce) =>
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
/** Waits neither between two polls nor for the end of a read that hangs. */
const looksAtOnce: Schedule = (task, delayMs) => {
  if (delayMs < 1_000) setImmediate(task);
  return () => undefined;
};
const sourceOf = (reading: Reading) =>
  reading.read(
    async ({ db }) => (await sql<{ name: string }>`select name from fruit`.execute(db)).rows[0]?.name,
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
  const reads = open(replica.url, (task, delayMs) => {
    if (delayMs >= 1_000) return () => undefined;
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

it('tries the replica again after ten seconds, also when the wall clock was set back meanwhile', async () => {
  await replica.replayTo('0/0');
  const reads = open(replica.url);

  expect(await sourceOf(await reads.begin())).toBe('primary');
  await replica.replayTo('FFFFFFFF/FFFFFFFF');
  clock.jump({ hours: -2 });
  clock.advance({ seconds: 10 });
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

  const written = await reading.read(({ db }) => sql`insert into fruit values ('quince')`.execute(db));

  expect(written.numAffectedRows).toBe(1n);
  expect(await sourceOf(reading)).toBe('primary');
  expect(await sourceOf(await reads.begin()), 'the next one').toBe('replica');
  await expect(reading.read(({ db }) => sql`select nothing`.execute(db))).rejects.toThrow('"nothing"');
  await reads.close();
});

it('gives up reads that hang at the replica and their connections, and repeats them at the primary', async () => {
  const bounds: (() => void)[] = [];
  const reads = open(replica.url, (task) => {
    bounds.push(task);
    return () => undefined;
  });
  const readings = [await reads.begin(), await reads.begin()];
  await whileLocked(`${replicaSchema}.fruit`, async () => {
    // As many as the pool has connections.
    const found = Promise.all(readings.map(sourceOf));
    await waitingFor(2);
    for (const giveUp of bounds) giveUp();

    expect(await found).toEqual(['primary', 'primary']);
    expect(logged).toEqual([
      expect.stringContaining('a read at the replica hangs'),
      expect.stringContaining('a read at the replica hangs'),
    ]);
    expect(await sourceOf(await reads.begin()), 'while the replica rests').toBe('primary');
    clock.advance({ seconds: 10 });
    const schema = await (await reads.begin()).read(({ db }) =>
      sql<{ name: string }>`select current_schema() as name`.execute(db),
    );
    expect(schema.rows[0]?.name, 'afterwards').toBe(replicaSchema);
  });
  await reads.close();
});

async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query(`begin; lock table ${table}`);
    await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const waitingFor = (count: number) =>
  expect
    .poll(async () => {
      const { rows } = await database.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length;
    })
    .toBe(count);
