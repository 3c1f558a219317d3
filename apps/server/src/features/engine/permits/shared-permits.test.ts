import type { HostPermit, HostRest, MailPlace, PermitLimits } from '@assay/verifier';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../platform/database/database.ts';
import { createLogger } from '../../../platform/logging/index.ts';
import { type MovableClock, movableClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sweepPermits } from './permits.store.ts';
import { openSharedPermits, SharedPermits, type SharedPermitsOptions } from './shared-permits.ts';

const logger = createLogger({ level: 'silent', process: 'test' });
const roomy: PermitLimits = { perHost: 8, perProvider: 16, total: 500 };
const mx: MailPlace = { host: '192.0.2.1', provider: 'big.test' };
const otherMx: MailPlace = { host: '192.0.2.2', provider: 'big.test' };
const nobody = () => undefined;
const never = new AbortController().signal;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('truncate permit_holders, host_permits, host_rests');
});

type HolderOptions = Partial<SharedPermitsOptions>;

const optionsOf = (options: HolderOptions): SharedPermitsOptions => ({
  db: database.db,
  logger,
  egress: 'default',
  share: 'bulk',
  limits: roomy,
  ...options,
});

/** Beats only when its clock is moved, and hears nobody. */
function newHolder(options: HolderOptions = {}): { permits: SharedPermits; clock: MovableClock } {
  const clock = movableClock();
  const permits = new SharedPermits({ ...optionsOf(options), schedule: clock.schedule });
  onTestFinished(() => permits.close());
  return { permits, clock };
}

/** Hears the others; its beats come from the same clock, so that nothing but a notice can have told it. */
async function newListener(options: HolderOptions = {}) {
  const clock = movableClock();
  const { permits, close } = await openSharedPermits({
    ...optionsOf(options),
    databaseUrl: database.url,
    applicationName: 'assay test permits',
    schedule: clock.schedule,
  });
  onTestFinished(close);
  return permits as SharedPermits;
}

/** Asks, and shows whether it was told to wait and what came of it. */
function ask(permits: SharedPermits, place: MailPlace, signal = never) {
  const asked = { isShort: false, answer: undefined as HostPermit | HostRest | undefined };
  const answered = permits.acquire(place, signal, () => {
    asked.isShort = true;
  });
  answered.then((answer) => {
    asked.answer = answer;
  }, nobody);
  return { asked, answered, untilShort: () => expect.poll(() => asked.isShort).toBe(true) };
}

async function take(permits: SharedPermits, place: MailPlace): Promise<HostPermit> {
  const answer = await permits.acquire(place, never, nobody);
  if ('restMs' in answer) throw new Error('The host rests.');
  return answer;
}

const countRows = async (where = 'true'): Promise<number> =>
  (await database.pool.query(`select count(*)::int as count from host_permits where ${where}`)).rows[0].count;

const untilRestIsTold = () =>
  expect.poll(async () => (await database.pool.query('select from host_rests')).rowCount).toBe(1);

/** Moves the database's clock on, as far as holders and rests can tell. */
const letTimePass = (seconds: number) =>
  database.pool.query(
    `with holders as (update permit_holders set seen_at = seen_at - $1 * interval '1 second',
       returned_at = returned_at - $1 * interval '1 second')
     update host_rests set until = until - $1 * interval '1 second'`,
    [seconds],
  );

describe('limits that holders keep together', () => {
  it.each([1, 2, 3])('are never exceeded, and everybody is served (seed %i)', async (seed) => {
    const limits = { perHost: 2, perProvider: 3, total: 5 };
    const random = randomNumbers(seed);
    const held: MailPlace[] = [];
    const most = { host: 0, provider: 0, total: 0 };
    const work = async (permits: SharedPermits) => {
      for (let turn = 0; turn < 12; turn += 1) {
        const place = { host: `host ${random(6)}`, provider: '' };
        place.provider = `provider ${Number(place.host.at(-1)) % 3}`;
        const permit = await take(permits, place);
        held.push(place);
        most.total = Math.max(most.total, held.length);
        most.host = Math.max(most.host, held.filter(({ host }) => host === place.host).length);
        const atProvider = held.filter(({ provider }) => provider === place.provider).length;
        most.provider = Math.max(most.provider, atProvider);
        for (let wait = random(5); wait > 0; wait -= 1) await new Promise(setImmediate);
        held.splice(held.indexOf(place), 1);
        permit.release();
      }
    };
    const holders = await Promise.all([1, 2, 3].map(() => newListener({ limits })));

    await Promise.all(holders.flatMap((permits) => Array.from({ length: 6 }, () => work(permits))));

    expect(most.host).toBeLessThanOrEqual(2);
    expect(most.provider).toBeLessThanOrEqual(3);
    expect(most.total).toBeLessThanOrEqual(5);
    await expect.poll(() => countRows()).toBe(0);
  });

  it.each<[string, PermitLimits, number]>([
    ['a host', { perHost: 3, perProvider: 50, total: 50 }, 9],
    ['a provider', { perHost: 50, perProvider: 3, total: 50 }, 6],
    ['all', { perHost: 50, perProvider: 50, total: 5 }, 5],
  ])('are used up to the last connection: of %s', async (_, limits, expected) => {
    const places = [mx, otherMx, { host: '192.0.2.3', provider: 'small.test' }];
    const holders = [newHolder({ limits }), newHolder({ limits })];
    const asked = holders.flatMap(({ permits }) =>
      [...places, ...places, ...places].map((place) => ask(permits, place)),
    );
    const isHeard = () => asked.every(({ asked: { isShort, answer } }) => isShort || answer !== undefined);
    await expect.poll(isHeard).toBe(true);

    expect(await countRows('is_granted')).toBe(expected);
    expect(await countRows()).toBe(asked.length);
  });

  it('are apart for each share and each egress address', async () => {
    const limits = { ...roomy, perHost: 1 };
    const share = { limits, share: 'prompt' };
    for (const options of [{ limits }, share, { limits, egress: 'elsewhere' }]) {
      await take(newHolder(options).permits, mx);
    }

    await ask(newHolder(share).permits, mx).untilShort();
    expect(await countRows('is_granted')).toBe(3);
  });

  it('pass on what is given back by notice, not by the next beat', async () => {
    const limits = { ...roomy, perHost: 1 };
    const [first, second] = [await newListener({ limits }), await newListener({ limits })];
    const permit = await take(first, mx);
    const waiting = ask(second, mx);
    await waiting.untilShort();

    permit.release();
    permit.release();

    await waiting.answered;
    expect(await countRows('is_granted')).toBe(1);
  });

  it('give nobody a second connection to a host before everybody there has a first', async () => {
    const limits = { ...roomy, perHost: 2 };
    const [greedy, modest] = [newHolder({ limits }), newHolder({ limits })];
    const permits = [await take(greedy.permits, mx), await take(greedy.permits, mx)];
    const more = ask(greedy.permits, mx);
    await more.untilShort();
    const first = ask(modest.permits, mx);
    await first.untilShort();

    permits[0]?.release();

    await expect
      .poll(() => first.asked.answer !== undefined || modest.clock.advance({ seconds: 1 }))
      .toBe(true);
    expect(more.asked.answer).toBeUndefined();
  });

  it('tell who stands in whose way, until nobody does', async () => {
    const limits = { perHost: 8, perProvider: 1, total: 500 };
    const [inTheWay, starving] = [await newListener({ limits }), await newListener({ limits })];
    const wanted: string[][] = [];
    inTheWay.watchWanted((hosts) => wanted.push([...hosts]));
    const permit = await take(inTheWay, mx);
    await take(inTheWay, { host: '192.0.2.9', provider: 'small.test' });

    const waiting = ask(starving, otherMx);
    await expect.poll(() => wanted).toEqual([[mx.host]]);
    permit.release();

    await waiting.answered;
    await expect.poll(() => wanted).toEqual([[mx.host], []]);
  });
});

describe('a holder that is gone', () => {
  const limits = { ...roomy, perHost: 1 };

  it('keeps nobody waiting for longer than seconds', async () => {
    const gone = newHolder({ limits });
    await take(gone.permits, mx);
    const { permits, clock } = newHolder({ limits });
    const waiting = ask(permits, mx);
    await waiting.untilShort();
    await database.pool.query("update permit_holders set seen_at = seen_at - interval '4 seconds'");
    clock.advance({ seconds: 1 });
    const beats = async () =>
      (await database.pool.query('select max(exchange) as n from permit_holders')).rows[0].n;
    await expect.poll(beats).toBe(2);
    expect(waiting.asked.answer).toBeUndefined();

    // The one that waits was heard a moment ago, the other one five seconds and more.
    await letTimePass(2);
    await expect.poll(() => waiting.asked.answer !== undefined || clock.advance({ seconds: 1 })).toBe(true);

    expect(await countRows()).toBe(1);
  });

  it('gives everything back when it ends in peace', async () => {
    const ending = newHolder({ limits });
    await take(ending.permits, mx);
    const waiting = ask(await newListener({ limits }), mx);
    await waiting.untilShort();

    await ending.permits.close();

    await waiting.answered;
  });

  it('and comes back tells what it still has, and nothing is given away before all were heard', async () => {
    const { permits, clock } = newHolder({ limits: { ...roomy, perHost: 2 } });
    await take(permits, mx);
    // What a crash of the database leaves of tables that are not logged.
    await database.pool.query('truncate permit_holders, host_permits');

    clock.advance({ seconds: 1 });
    await expect.poll(() => countRows('is_granted')).toBe(1);
    const other = newHolder({ limits: { ...roomy, perHost: 2 } });
    const waiting = [ask(other.permits, mx), ask(other.permits, mx)];
    await Promise.all(waiting.map(({ untilShort }) => untilShort()));
    expect(await countRows('is_granted')).toBe(1);

    await letTimePass(3);
    other.clock.advance({ seconds: 1 });

    await Promise.race(waiting.map(({ answered }) => answered));
    expect(await countRows('is_granted')).toBe(2);
  });

  it('and was heard without being told so is given what it waits for all the same', async () => {
    const { permits, clock } = newHolder({ limits });
    const permit = await take(permits, mx);
    const waiting = ask(permits, mx);
    await waiting.untilShort();
    // As after a crash, and a first exchange whose answer was lost on the way.
    await database.pool.query('delete from host_permits');

    clock.advance({ seconds: 1 });
    await expect.poll(() => countRows()).toBe(2);
    permit.release();

    await waiting.answered;
  });
});

describe('a host that wants to be left alone', () => {
  it('is left alone by all behind the address, whatever their share, and by nobody else', async () => {
    const told = newHolder();
    told.permits.holdOff(mx, 60_000);
    await untilRestIsTold();

    const answer = await newHolder({ share: 'prompt' }).permits.acquire(mx, never, nobody);

    expect(answer).toEqual({ restMs: expect.any(Number) });
    expect((answer as HostRest).restMs).toBeGreaterThan(0);
    expect((answer as HostRest).restMs).toBeLessThanOrEqual(60_000);
    await take(newHolder().permits, otherMx);
    await take(newHolder({ egress: 'elsewhere' }).permits, mx);
    // Whoever was told keeps the time by itself.
    await take(told.permits, mx);
  });

  it('is asked again when its rest is over', async () => {
    newHolder().permits.holdOff(mx, 60_000);
    await untilRestIsTold();
    const other = newHolder().permits;
    expect(await other.acquire(mx, never, nobody)).toHaveProperty('restMs');

    await letTimePass(61);

    await take(other, mx);
  });

  it('answers those who already wait for it', async () => {
    const limits = { ...roomy, perHost: 1 };
    const holder = newHolder({ limits });
    await take(holder.permits, mx);
    const { permits, clock } = newHolder({ limits });
    const waiting = ask(permits, mx);
    await waiting.untilShort();

    holder.permits.holdOff(mx, 60_000);
    await untilRestIsTold();
    clock.advance({ seconds: 1 });

    expect(await waiting.answered).toMatchObject({ restMs: expect.any(Number) });
    await expect.poll(() => countRows()).toBe(1);
  });
});

describe('whoever stops waiting', () => {
  it('leaves nothing behind, and whoever is next is served', async () => {
    const { permits } = newHolder({ limits: { ...roomy, perHost: 1 } });
    const permit = await take(permits, mx);
    const leaving = new AbortController();
    const left = ask(permits, mx, leaving.signal);
    await left.untilShort();
    const next = ask(permits, mx);
    await next.untilShort();

    leaving.abort(new Error('enough'));
    await expect(left.answered).rejects.toThrow('enough');
    permit.release();

    await next.answered;
    await expect.poll(() => countRows()).toBe(1);
  });

  it('is not given what was granted at that very moment', async () => {
    const { permits } = newHolder();
    const lock = await holdLock('default/bulk');
    const leaving = new AbortController();
    const left = ask(permits, mx, leaving.signal);
    await lock.untilWaitedFor();

    leaving.abort(new Error('enough'));
    await lock.release();

    await expect(left.answered).rejects.toThrow('enough');
    await take(permits, otherMx);
    await expect.poll(() => countRows()).toBe(1);
  });

  it('never begins to wait when it has already stopped', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(newHolder().permits.acquire(mx, gone, nobody)).rejects.toThrow('gone');
    expect(await countRows()).toBe(0);
  });
});

describe('while the database is away', () => {
  it('whoever asks waits, and is served once when the connection was cut in the middle', async () => {
    const { permits, clock } = newHolder({ limits: { ...roomy, perHost: 1 } });
    const lock = await holdLock('default/bulk');
    const { asked, answered } = ask(permits, mx);
    const backend = await lock.untilWaitedFor();
    await database.pool.query('select pg_terminate_backend($1)', [backend]);
    await lock.release();

    await expect.poll(() => asked.answer !== undefined || clock.advance({ ms: 250 })).toBe(true);

    ((await answered) as HostPermit).release();
    await expect.poll(() => countRows()).toBe(0);
  });

  it('an exchange that was overtaken on the way changes nothing', async () => {
    const { permits } = newHolder();
    await take(permits, mx);
    const { rows } = await database.pool.query('select id, share from permit_holders');

    const { rows: answers } = await database.pool.query(
      "select * from exchange_host_permits($1, 'default', $2, '{8,16,500}', 1, false, '{}', '{}', '[]', '[]')",
      [rows[0].id, rows[0].share],
    );

    expect(answers).toEqual([{ is_known: true, granted: [], resting: [], wanted: [] }]);
    expect(await countRows('is_granted')).toBe(1);
  });

  it('nobody is refused, and closing waits for nothing', async () => {
    const away = openDatabase({
      url: 'postgres://assay@127.0.0.1:1/assay',
      poolSize: 1,
      applicationName: 'assay test',
      onIdleError: nobody,
    });
    const lines: string[] = [];
    const listening = {
      level: 'warn',
      process: 'test',
      destination: { write: (line: string) => lines.push(line) },
    };
    const { permits } = newHolder({ db: away.db, logger: createLogger(listening) });
    const leaving = new AbortController();
    const { answered } = ask(permits, mx, leaving.signal);
    await expect.poll(() => lines).toEqual([expect.stringContaining('could not ask for connections')]);

    leaving.abort(new Error('enough'));

    await expect(answered).rejects.toThrow('enough');
    await permits.close();
    await away.close();
  });
});

describe('the sweep', () => {
  it('removes what ended long ago, and nothing that lives', async () => {
    const gone = newHolder();
    await take(gone.permits, mx);
    gone.permits.holdOff(mx, 1_000);
    await untilRestIsTold();
    await letTimePass(61);
    await take(newHolder({ egress: 'elsewhere' }).permits, mx);

    await sweepPermits(database.db);

    const { rows } = await database.pool.query('select share from permit_holders');
    expect(rows).toEqual([{ share: 'elsewhere/bulk' }]);
    expect((await database.pool.query('select from host_rests')).rowCount).toBe(0);
    expect(await countRows()).toBe(1);
  });
});

/** Holds up every exchange of a share, as another one that takes its time would. */
async function holdLock(share: string) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('select pg_advisory_lock(722120, hashtext($1))', [share]);
  const waiters = async () =>
    (
      await client.query(
        "select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
      )
    ).rows;
  return {
    /** Answers with the backend that waits. */
    untilWaitedFor: async (): Promise<number> => {
      await expect.poll(async () => (await waiters()).length).toBe(1);
      return (await waiters())[0].pid;
    },
    release: () => client.end(),
  };
}

/** Whole numbers from 0, the same for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
