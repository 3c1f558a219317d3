import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createSecrets } from '../crypto/secrets.ts';
import { type AllowanceStore, createAllowanceStore } from './allowances.store.ts';
import { createSharedAllowance } from './shared-allowance.ts';

describe('an allowance that several processes share', () => {
  let database: TestDatabase;
  const clock = movableClock('2026-03-01T12:00:00Z');
  const secrets = createSecrets('a secret of at least thirty-two bytes');
  let leases = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  function startProcess(max: number) {
    const { lease } = createAllowanceStore({ db: database.db, secrets });
    const store: AllowanceStore = {
      lease: (request) => {
        leases += 1;
        return lease(request);
      },
    };
    return createSharedAllowance({ store, clock }, { policy: 'customer', max, windowSeconds: 60 });
  }

  /** How many of the calls each process allows, when all call at once. */
  async function flood(processes: ReturnType<typeof startProcess>[], key: string, callsEach: number) {
    const answers = await Promise.all(
      processes.flatMap((process) => Array.from({ length: callsEach }, () => process.take(key))),
    );
    return answers.filter(({ isExceeded }) => !isExceeded).length;
  }

  it.each([
    [1, 600],
    [2, 600],
    [5, 600],
    [10, 600],
    [3, 100],
    [4, 7],
    [2, 1],
  ])('%i processes allow %i calls together, and at most a tenth more', async (processCount, max) => {
    const processes = Array.from({ length: processCount }, () => startProcess(max));

    const allowed = await flood(processes, `flood of ${processCount} for ${max}`, max);

    expect(allowed).toBeGreaterThanOrEqual(max);
    expect(allowed).toBeLessThanOrEqual(Math.floor(max * 1.1));
  });

  it('is counted by each process alone while the store is away', async () => {
    const store: AllowanceStore = { lease: () => Promise.reject(new Error('the database is away')) };
    const alone = createSharedAllowance(
      { store, clock },
      { policy: 'customer', max: 100, windowSeconds: 60 },
    );

    expect(await flood([alone], 'anyone', 300)).toBe(100);
  });

  it.each([1, 2, 3, 4, 5])('holds for calls in any order (seed %i)', async (seed) => {
    const max = 50 + seed * 90;
    const processes = Array.from({ length: 1 + seed }, () => startProcess(max));
    let state = seed;
    const next = (bound: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % bound;
    };
    for (let window = 0; window < 3; window += 1) {
      let allowed = 0;
      for (let calls = 0; calls < max * 2; ) {
        const process = processes[next(processes.length)];
        const burst = 1 + next(40);
        calls += burst;
        if (process) allowed += await flood([process], `seed ${seed}`, burst);
      }
      expect(allowed).toBeLessThanOrEqual(Math.floor(max * 1.1));
      // What other processes have leased and not used is lost to this window, and no more than that.
      expect(allowed).toBeGreaterThanOrEqual(Math.floor(max * (1 - 0.05 * processes.length)));
      clock.advance({ seconds: 60 });
    }
  });

  it('costs no query for callers who call seldom, and one for each twentieth of the limit otherwise', async () => {
    const process = startProcess(600);

    leases = 0;
    for (let caller = 0; caller < 100; caller += 1) await flood([process], `rare ${caller}`, 6);
    expect(leases).toBe(0);

    for (let call = 0; call < 1_000; call += 1) await process.take('frequent');
    expect(leases).toBe(20);
  });

  it('tells what is left and until when, and begins again with the next window', async () => {
    const process = startProcess(3);
    clock.set('2026-03-01T13:00:10Z');
    const answers = [];
    for (let call = 0; call < 4; call += 1) answers.push(await process.take('ann'));

    expect(answers.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
    expect(answers.map(({ isExceeded }) => isExceeded)).toEqual([false, false, false, true]);
    expect(answers[3]?.secondsLeft).toBe(50);
    clock.advance({ seconds: 49 });
    expect((await process.take('ann')).isExceeded).toBe(true);
    clock.advance({ seconds: 1 });
    expect(await process.take('ann')).toEqual({ isExceeded: false, remaining: 2, secondsLeft: 60 });
  });

  it('a clock an hour ahead, now set right, does not block its callers for that hour', async () => {
    const fast = startProcess(3);
    clock.advance({ hours: 1 });
    for (let call = 0; call < 3; call += 1) await fast.take('bob');
    clock.advance({ hours: -1 });

    const allowed = [];
    for (let minute = 0; minute < 3; minute += 1) {
      allowed.push(await flood([startProcess(3)], 'bob', 5));
      clock.advance({ minutes: 1 });
    }
    expect(allowed).toEqual([3, 3, 3]);
  });

  it('a clock one window behind takes from the window of the others', async () => {
    await flood([startProcess(10)], 'cleo', 8);
    clock.advance({ minutes: -1 });

    expect(await flood([startProcess(10)], 'cleo', 8)).toBe(2);
  });

  it('stores no key in the clear, and clears away windows that are over', async () => {
    await startProcess(3).take('203.0.113.7');
    clock.advance({ minutes: 30 });
    await startProcess(3).take('later');

    const rows = await database.db.selectFrom('request_allowances').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113\.7|later/);
  });
});
