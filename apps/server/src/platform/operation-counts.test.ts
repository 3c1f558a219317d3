import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { movableClock } from '../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createLogger } from './logging/index.ts';
import { countOperations, sweepCounts } from './operation-counts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('delete from operation_counts'));

const logger = createLogger({ level: 'silent', process: 'test' });
const rows = async () =>
  (
    await database.pool.query(
      'select name, bucket, part, detail, count from operation_counts order by 1, 2, 3, 4',
    )
  ).rows;

it('adds up what several processes count in a minute, and what providers answer in an hour', async () => {
  const clock = movableClock('2026-03-01T12:34:56Z');
  const open = () => countOperations({ db: database.db, logger, clock, schedule: clock.schedule });
  const [first, second] = [open(), open()];
  first.add('checks', 'VALID');
  first.add('checks', 'VALID');
  second.add('checks', 'VALID');
  second.add('provider_checks', 'Google', 'UNKNOWN');
  clock.advance({ seconds: 10 });
  first.add('checks', 'VALID');
  await Promise.all([first.close(), second.close()]);

  expect(await rows()).toEqual([
    { name: 'checks', bucket: new Date('2026-03-01T12:34:00Z'), part: 'VALID', detail: '', count: 3 },
    { name: 'checks', bucket: new Date('2026-03-01T12:35:00Z'), part: 'VALID', detail: '', count: 1 },
    {
      name: 'provider_checks',
      bucket: new Date('2026-03-01T12:00:00Z'),
      part: 'Google',
      detail: 'UNKNOWN',
      count: 1,
    },
  ]);
});

it('keeps few rows however many names strangers give their hosts', async () => {
  const counts = countOperations({ db: database.db, logger });
  for (let host = 0; host < 1_000; host += 1) counts.add('provider_checks', `host${host}.example`, 'VALID');
  await counts.close();

  const written = await rows();
  expect(written.length).toBeLessThanOrEqual(201);
  expect(written.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
});

it('loses counts instead of failing when the database does not answer', async () => {
  const counts = countOperations({ db: { ...database.db } as typeof database.db, logger });
  counts.add('requests');
  await expect(counts.close()).resolves.toBeUndefined();
});

it('removes minutes after two days, hours after eight, and the weather after a month', async () => {
  const clock = movableClock('2026-03-01T12:00:00Z');
  const counts = countOperations({ db: database.db, logger, clock, schedule: clock.schedule });
  counts.add('requests');
  counts.add('provider_checks', 'Google', 'VALID');
  counts.add('weather', 'Google', 'answered default');
  await counts.close();
  const names = async () => (await rows()).map(({ name }) => name);

  await sweepCounts(database.db, new Date('2026-03-03T11:00:00Z'));
  expect(await names()).toEqual(['provider_checks', 'requests', 'weather']);
  await sweepCounts(database.db, new Date('2026-03-03T13:00:00Z'));
  expect(await names()).toEqual(['provider_checks', 'weather']);
  await sweepCounts(database.db, new Date('2026-03-09T13:00:00Z'));
  expect(await names()).toEqual(['weather']);
  await sweepCounts(database.db, new Date('2026-04-01T13:00:00Z'));
  expect(await names()).toEqual([]);
});
