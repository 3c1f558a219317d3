import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { defineJob, handleJob, openWorkQueue } from './index.ts';
import { removing } from './presence.ts';
import { lastPlace, type TakenJob, taking } from './take-jobs.ts';
import { useTestQueue } from './testing/test-queue.ts';

describe('places by customer', () => {
  const test = useTestQueue();
  const [many, few] = [randomUUID(), randomUUID()];
  const owned = defineJob({
    name: 'owned',
    payload: z.strictObject({ ownerId: z.uuid(), name: z.string() }),
    expireSeconds: 60,
    retryLimit: 2,
  });
  const jobsOf = (ownerId: string, count: number, priority = 0) =>
    Array.from({ length: count }, (_, index) => ({ payload: { ownerId, name: `${index}` }, priority }));
  const enqueueAll = (items: ReturnType<typeof jobsOf>) =>
    test.database.db.transaction().execute(async (tx) => {
      await test.queue.enqueueMany(tx, owned, items);
      // They are enqueued by real time. On a busy machine, the clock of the test is behind that, and some would be due before others.
      await sql`update queue.job set start_after = start_after - interval '1 day'`.execute(tx);
    });
  /** Runs jobs that end when the test says, and notes whose they are. */
  const workUntilTold = async (concurrency: number) => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    await test.queue.work([
      handleJob(owned, { concurrency }, ({ ownerId }, { signal }) => {
        started.push(ownerId === many ? 'many' : 'few');
        return new Promise<void>((resolve) => {
          ends.push(resolve);
          signal.addEventListener('abort', () => resolve());
        });
      }),
    ]);
    return { started, endNext: () => ends.shift()?.() };
  };

  it('keeps a place for a customer who comes after one with many jobs that never end', async () => {
    const { started } = await workUntilTold(8);
    await enqueueAll(jobsOf(many, 100));
    await test.tickUntil(() => started.length >= 6);
    await test.clock.tick(3_000);
    expect(started).toHaveLength(6);

    await enqueueAll(jobsOf(few, 1));

    await test.tickUntil(() => started.includes('few'));
    expect(started.filter((who) => who === 'many')).toHaveLength(6);
  });

  it('gives the next place to the customer who has none, whatever arrived first', async () => {
    const { started, endNext } = await workUntilTold(1);
    await enqueueAll(jobsOf(many, 50, 10));
    await test.tickUntil(() => started.length === 1);
    await enqueueAll(jobsOf(few, 2));

    for (let ended = 1; ended < 5; ended += 1) {
      endNext();
      await test.tickUntil(() => started.length > ended);
    }

    expect(started).toEqual(['many', 'few', 'many', 'few', 'many']);
  });

  it('takes turns between customers with many jobs', async () => {
    await enqueueAll(jobsOf(many, 50));
    await enqueueAll(jobsOf(few, 50));

    const { started } = await workUntilTold(8);

    await test.tickUntil(() => started.length === 8);
    expect(started.filter((who) => who === 'few')).toHaveLength(4);
  });

  it('runs each job once, however many workers take them at the same time', async () => {
    const other = await openWorkQueue({ ...test.options(), clock: test.clock });
    const runs = new Map<string, number>();
    for (const one of [test.queue, other]) {
      await one.work([
        handleJob(owned, { concurrency: 5 }, async ({ ownerId, name }) => {
          runs.set(`${ownerId} ${name}`, (runs.get(`${ownerId} ${name}`) ?? 0) + 1);
        }),
      ]);
    }
    await enqueueAll([...jobsOf(many, 60), ...jobsOf(few, 60)]);

    await test.tickUntil(() => runs.size === 120);
    await test.clock.tick(3_000);

    await other.close();
    expect([...runs.values()].filter((count) => count !== 1)).toEqual([]);
  });

  it('lets throttled customers come after all others', async () => {
    await enqueueAll(jobsOf(many, 3, -lastPlace));
    await enqueueAll(jobsOf(few, 3));

    const { started, endNext } = await workUntilTold(1);
    for (let ended = 0; ended < 6; ended += 1) {
      await test.tickUntil(() => started.length > ended);
      endNext();
    }

    expect(started).toEqual(['few', 'few', 'few', 'many', 'many', 'many']);
  });

  it('finds and removes jobs without reading the others of a customer who has many, also by plans from when there were none', async () => {
    const connection = await test.database.pool.connect();
    const wanted = ['owned', 2, [''], [0], [0], [0], 6, test.queue.workerNumber, false];
    const countOf = async (jobs: readonly TakenJob[]) => {
      const ids = jobs.map(({ id }) => id);
      return (await test.database.pool.query('select from queue.job where id = any($1::uuid[])', [ids]))
        .rowCount;
    };
    await connection.query(taking.call, wanted);
    await connection.query(removing.call, [[], [], [], test.queue.workerNumber]);
    await enqueueAll(jobsOf(few, 1));
    await test.database.pool.query(
      `insert into queue.job (name, data, priority)
       select 'owned', jsonb_build_object('ownerId', $1::text, 'name', n::text), -n from generate_series(1, 20000) as n`,
      [many],
    );

    const { rows } = await connection.query(`explain (analyze, buffers, format json) ${taking.call}`, wanted);

    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    expect(plan['Actual Rows']).toBe(2);
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(200);

    const { rows: taken } = await connection.query<TakenJob>(taking.call, wanted);
    const tries = [taken.map(({ name }) => name), taken.map(({ id }) => id), taken.map(() => 0)];
    const removed = await connection.query(`explain (analyze, buffers, format json) ${removing.call}`, [
      ...tries,
      test.queue.workerNumber,
    ]);
    connection.release();

    const { Plan: removal } = removed.rows[0]['QUERY PLAN'][0];
    expect(taken).toHaveLength(2);
    expect(removal['Shared Hit Blocks'] + removal['Shared Read Blocks']).toBeLessThan(200);
    expect(await countOf(taken)).toBe(0);
  });

  it('waits for the disk when it takes jobs, except those that may run twice', async () => {
    const connection = await test.database.pool.connect();
    const isWaiting = async () =>
      (await connection.query('show synchronous_commit')).rows[0].synchronous_commit;
    const settingsAt = async (call: string, values: unknown[]) => {
      await connection.query('begin');
      await connection.query(call, values);
      const during = await isWaiting();
      await connection.query('commit');
      return [during, await isWaiting()];
    };
    const wanted = ['owned', 2, [''], [0], [0], [0], 6, test.queue.workerNumber];
    await connection.query('set synchronous_commit = on');

    expect(await settingsAt(taking.call, [...wanted, false])).toEqual(['on', 'on']);
    expect(await settingsAt(taking.call, [...wanted, true])).toEqual(['off', 'on']);
    expect(await settingsAt(removing.call, [[], [], [], test.queue.workerNumber])).toEqual(['off', 'on']);
    connection.release(true);
  });
});
