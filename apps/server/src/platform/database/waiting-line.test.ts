import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { watchWaitingLine } from './waiting-line.ts';

describe('the line of statements that wait for a connection', () => {
  let nowMs = 0;
  const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 1 });
  const line = watchWaitingLine(pool, () => nowMs);
  afterAll(() => pool.end());

  it('is overlong while it is both long and slow', async () => {
    const busy = await pool.connect();
    const waiting = Array.from({ length: 10 }, () => pool.query('select 1'));
    nowMs += 10_000;
    expect(line.isOverlong()).toBe(false);

    waiting.push(pool.query('select 1'));
    expect(line.isOverlong()).toBe(false);
    nowMs += 100;
    expect(line.isOverlong()).toBe(false);
    nowMs += 1;
    expect(line.isOverlong()).toBe(true);

    busy.release();
    await Promise.all(waiting);
    expect(line.isOverlong()).toBe(false);

    // A new line says nothing before somebody has waited in it.
    const next = await pool.connect();
    const others = Array.from({ length: 11 }, () => pool.query('select 1'));
    expect(line.isOverlong()).toBe(false);
    next.release();
    await Promise.all(others);
  });

  it('includes the calls that share a statement, each until it has its answer', async () => {
    const busy = await pool.connect();
    const shared = pool.query('select 1');
    const calls = Array.from({ length: 10 }, () => line.countWhile(shared));
    expect(line.isOverlong()).toBe(false);
    nowMs += 101;
    expect(line.isOverlong()).toBe(true);

    busy.release();
    await Promise.all(calls);
    expect(line.isOverlong()).toBe(false);
  });

  it('is overlong when many calls share a statement that is slow, although connections are free', async () => {
    const shared = Promise.withResolvers<void>();
    const calls = Array.from({ length: 11 }, () => line.countWhile(shared.promise));
    expect(line.isOverlong()).toBe(false);
    nowMs += 101;
    expect(line.isOverlong()).toBe(true);

    shared.resolve();
    await Promise.all(calls);
    expect(line.isOverlong()).toBe(false);
  });
});
