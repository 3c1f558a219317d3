import { randomUUID } from 'node:crypto';
import { statusSchema } from '@assay/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { announceProcess } from '../../../platform/live-processes.ts';
import { createLogger } from '../../../platform/logging/index.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { verifyLongListJob } from '../../verification/verification.jobs.ts';

const clock = movableClock(new Date());
let api: TestApi;
let worker: Awaited<ReturnType<typeof announceProcess>>;
const startWorker = () =>
  announceProcess({
    db: api.database.db,
    logger: createLogger({ level: 'silent', process: 'test' }),
    kind: 'worker',
    version: { version: '1.0.0', commit: 'abc' },
  });
beforeAll(async () => {
  api = await startTestApi({ clock });
  worker = await startWorker();
});
afterAll(async () => {
  await worker.close();
  await api.close();
});

const states = async () => {
  clock.advance({ seconds: 31 });
  const answer = await api.call('GET', '/status');
  expect(answer.statusCode).toBe(200);
  return Object.fromEntries(statusSchema.parse(answer.json()).parts.map(({ name, state }) => [name, state]));
};

it('GET /status: 200 without a sign-in, and remembered for half a minute', async () => {
  expect(await states()).toEqual({ api: 'operational', verification: 'operational', lists: 'operational' });
  const { date } = (await api.call('GET', '/status')).json();
  clock.advance({ seconds: 10 });
  expect((await api.call('GET', '/status')).json().date).toBe(date);
  clock.jump({ hours: -2 });
  clock.advance({ seconds: 20 });
  expect((await api.call('GET', '/status')).json().date, 'after the wall clock was set back').not.toBe(date);
  clock.jump({ hours: 2 });
});

it('GET /status: verification and lists are not available without a worker', async () => {
  await worker.close();
  const without = await states();
  worker = await startWorker();
  expect(without).toEqual({ api: 'operational', verification: 'unavailable', lists: 'unavailable' });
  expect(await states()).toMatchObject({ verification: 'operational', lists: 'operational' });
});

it('GET /status: tells of a closed port, of errors and of lists that wait', async () => {
  await api.database.pool.query(
    `insert into egress_health values ('default', true, false, '[]', now(), now())`,
  );
  expect(await states()).toMatchObject({ verification: 'unavailable', lists: 'unavailable' });
  await api.database.pool.query('delete from egress_health');

  const count = (name: string, times: number) =>
    api.database.pool.query('insert into operation_counts values ($1, $2, $3, $4, $5)', [
      name,
      clock.now(),
      'x',
      '',
      times,
    ]);
  await count('requests', 1_000);
  await count('errors', 20);
  expect(await states()).toMatchObject({ api: 'degraded' });

  const token = await api.tokenFor();
  const list = await api.call('POST', '/validations/lists', {
    token,
    body: { name: 'Spring', emails: ['a@exists.test'] },
  });
  expect(list.statusCode).toBe(201);
  // No worker lives here, so pg-boss counts nothing. The job has the time of the database, which a busy machine leaves far ahead of ours.
  clock.advance({ minutes: 25 });
  expect(await states()).toMatchObject({ verification: 'operational', lists: 'degraded' });
});

it('GET /status: lists work while a long one takes longer than ten minutes', async () => {
  const piece = { ownerId: randomUUID(), listId: randomUUID(), run: 0 };
  await api.database.pool.query(`delete from queue.job where name like 'validations.%'`);
  await api.database.db.transaction().execute((tx) =>
    api.queue.enqueueMany(
      tx,
      verifyLongListJob,
      [0, 1, 2].map((chunkNumber) => ({ payload: { ...piece, chunkNumber } })),
    ),
  );
  const complete = () =>
    api.database.pool.query(
      `update queue.job set state = 'completed', completed_on = $1
       where id = (select id from queue.job where name = 'validations.verify-long-list' and state = 'created' limit 1)`,
      [clock.now()],
    );
  clock.advance({ minutes: 11 });
  await complete();
  expect(await states()).toMatchObject({ lists: 'operational' });

  clock.advance({ minutes: 11 });
  expect(await states(), 'no piece was done for ten minutes').toMatchObject({ lists: 'degraded' });
});

it('GET /status: names providers that answer slowly, since when, until they answer again', async () => {
  const tenMinutesMs = 600_000;
  // To the start of ten minutes, so that the half minutes below stay within them.
  clock.advance({ ms: tenMinutesMs - (clock.now().getTime() % tenMinutesMs) });
  const bucketAgo = (count: number) =>
    new Date(Math.floor(clock.now().getTime() / tenMinutesMs) * tenMinutesMs - count * tenMinutesMs);
  const note = (provider: string, bucket: Date, kind: string, times: number) =>
    api.database.pool.query('insert into operation_counts values ($1, $2, $3, $4, $5)', [
      'weather',
      bucket,
      provider,
      `${kind} default`,
      times,
    ]);
  const slow = async () => {
    clock.advance({ seconds: 31 });
    return statusSchema.parse((await api.call('GET', '/status')).json()).slow_providers;
  };
  const begun = bucketAgo(3);
  for (const bucket of [begun, bucketAgo(2), bucketAgo(1)]) {
    await note('Yahoo', bucket, 'answered', 30);
    await note('Yahoo', bucket, 'deferred', 20);
    await note('Yahoo', bucket, 'held_back', 900);
    await note('Google', bucket, 'answered', 60);
    await note('Google', bucket, 'timed_out', 20);
    await note('Apple', bucket, 'blocked', 19);
    await note('others', bucket, 'blocked', 500);
  }
  await note('Yahoo', bucketAgo(5), 'blocked', 100);
  await note('Yahoo', bucketAgo(4), 'answered', 100);

  expect(await slow()).toEqual([{ provider: 'Yahoo', start_date: begun.toISOString() }]);
  await note('Yahoo', bucketAgo(0), 'answered', 100);
  expect(await slow()).toEqual([]);
});
