import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { createSharedWishes, findAskedCounts, findStops, liftStop, sweepWishes } from './shared-wishes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate owner_wishes, owner_questions'));

const open = () => createSharedWishes(database.db);
const stop = { until: Date.now() + 86_400_000, host: 'mx.a.test', words: '550 Please stop probing' };

describe('what an owner wants', () => {
  it('is known to all workers', async () => {
    await open().savePerDay('a.test', 100);
    await open().saveStop('a.test', stop);
    await open().savePerDay('b.test', 0);
    const other = open();
    expect(await Promise.all(['a.test', 'b.test', 'c.test'].map((domain) => other.find(domain)))).toEqual([
      { perDay: 100, stop },
      { perDay: 0 },
      undefined,
    ]);
  });

  it('is gone when the record is gone, but a stop stays', async () => {
    await open().savePerDay('a.test', 0);
    await open().saveStop('a.test', stop);
    await open().savePerDay('a.test', Number.POSITIVE_INFINITY);
    expect(await open().find('a.test')).toEqual({ stop });
  });

  it('allows as many questions a day, whoever asks them', async () => {
    const takes = Array.from({ length: 12 }, () => open().take('a.test', 100, 9));
    const taken = await Promise.all(takes);
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(100);
    expect(taken.filter((count) => count === 9)).toHaveLength(11);
    expect(await open().take('a.test', 100, 1)).toBe(0);
    expect(await open().take('a.test', 103, 10)).toBe(3);
    expect(await open().take('b.test', 100, 200)).toBe(100);
    await database.pool.query('update owner_questions set day = day - 1');
    expect(await open().take('a.test', 100, 1)).toBe(1);
  });

  it('to see how many questions there are is counted, with what a limit allowed', async () => {
    await open().addAsked('a.test', 40);
    await open().addAsked('a.test', 50);
    expect(await open().take('a.test', 100, 20)).toBe(10);
    await database.pool.query('update owner_questions set day = day - 2');
    await open().addAsked('a.test', 7);
    expect((await findAskedCounts(database.db, 'a.test')).map(({ questions }) => questions)).toEqual([100]);
    expect(await findAskedCounts(database.db, 'b.test')).toEqual([]);
  });

  it('to be left alone can be seen and lifted', async () => {
    await open().saveStop('a.test', stop);
    await open().saveStop('old.test', { ...stop, until: Date.now() - 1_000 });
    expect(await findStops(database.db)).toEqual([
      { domain: 'a.test', until: new Date(stop.until), host: stop.host, words: stop.words },
    ]);
    expect(await liftStop(database.db, 'a.test')).toBe(true);
    expect(await liftStop(database.db, 'a.test')).toBe(false);
    expect(await open().find('a.test')).toEqual({});
  });

  it('is forgotten when it is over', async () => {
    await open().savePerDay('kept.test', 5);
    await open().savePerDay('gone.test', Number.POSITIVE_INFINITY);
    await open().saveStop('old.test', { ...stop, until: Date.now() - 1_000 });
    await open().saveStop('stopped.test', stop);
    await open().take('kept.test', 5, 1);
    await open().take('old.test', 5, 1);
    await database.pool.query(`update owner_questions set day = day - 33 where domain = 'old.test'`);
    await sweepWishes(database.db);
    const domains = async (table: string) =>
      (await database.pool.query(`select domain from ${table} order by domain`)).rows.map(
        ({ domain }) => domain,
      );
    expect(await domains('owner_wishes')).toEqual(['kept.test', 'stopped.test']);
    expect(await domains('owner_questions')).toEqual(['kept.test']);
  });
});
