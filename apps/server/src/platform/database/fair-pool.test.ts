import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { FairPool, onBehalfOf } from './fair-pool.ts';

describe('connections of the pool', () => {
  const pools: FairPool[] = [];
  const openPool = (connectionTimeoutMillis = 10_000) => {
    const pool = new FairPool({ connectionString: inject('postgresUrl'), max: 5, connectionTimeoutMillis });
    pools.push(pool);
    return pool;
  };
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())));

  const connectAs = (pool: FairPool, customerId: string) => onBehalfOf(customerId, () => pool.connect());

  it('go to others although one customer asked for many before', async () => {
    const pool = openPool();
    const many = Array.from({ length: 20 }, () => connectAs(pool, 'busy'));
    const held = await Promise.all(many.slice(0, 2));

    const other = await connectAs(pool, 'other');
    const own = await pool.connect();
    // Of the 18 that wait, a new customer stands behind no more than a share.
    expect(pool.waitingCount).toBe(2);

    for (const client of [other, own, ...held]) client.release();
    for (const asked of many.slice(2)) (await asked).release();
    expect(pool.waitingCount).toBe(0);
  });

  it('are given back once, also when one is released with an error', async () => {
    const pool = openPool();
    for (let round = 0; round < 8; round += 1) {
      const client = await connectAs(pool, 'busy');
      client.release(round % 2 === 0);
    }
    const held = await Promise.all([connectAs(pool, 'busy'), connectAs(pool, 'busy')]);
    let isThird = false;
    const third = connectAs(pool, 'busy').then((client) => {
      isThird = true;
      client.release();
    });
    await turn();
    expect(isThird).toBe(false);
    for (const client of held) client.release();
    await third;
  });

  it('are waited for as long as a connection may take, with the error of the pool', async () => {
    const pool = openPool(2_000);
    const held = await Promise.all(Array.from({ length: 5 }, () => pool.connect()));
    await expect(pool.connect()).rejects.toThrow('timeout exceeded when trying to connect');
    for (const client of held) client.release();
    (await pool.connect()).release();
  });

  it('are refused to a customer whose own statements hold them for too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const pool = openPool();
    const held = await Promise.all([connectAs(pool, 'busy'), connectAs(pool, 'busy')]);
    const refused = expect(connectAs(pool, 'busy')).rejects.toMatchObject({ code: 'too_many_requests' });
    vi.advanceTimersByTime(30_000);
    await refused;
    for (const client of held) client.release();
  });

  it('that cannot be opened keep nobody waiting', async () => {
    const pool = new FairPool({
      connectionString: 'postgres://nobody@127.0.0.1:1/none',
      max: 5,
      connectionTimeoutMillis: 10_000,
    });
    pools.push(pool);
    const asked = Array.from({ length: 10 }, () => connectAs(pool, 'busy'));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
  });

  it('answer statements of the pool itself', async () => {
    const { rows } = await openPool().query<{ one: number }>('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
  });
});
