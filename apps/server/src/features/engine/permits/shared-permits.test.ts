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

/** Reports only when its clock moves, and does not listen. */
function newHolder(options: HolderOptions = {}): { permits: SharedPermits; clock: MovableClock } {
  const clock = movableClock();
  const permits = new SharedPermits({ ...optionsOf(options), schedule: clock.schedule });
  onTestFinished(() => permits.close());
  return { permits, clock };
}

/** Listens to the others. Its clock never moves, so only a notice can wake it. */
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

/** Requests a connection and shows whether it has to wait and which answer it gets. */
function ask(permits: SharedPermits, place: MailPlace, signal = never, customer = '') {
  const asked = { isShort: false, answer: undefined as HostPermit | HostRest | undefined };
  const answered = permits.acquire({ place, customer }, signal, () => {
    asked.isShort = true;
  });
  answered.then((answer) => {
    asked.answer = answer;
  }, nobody);
  return { asked, answered, untilShort: () => expect.poll(() => asked.isShort).toBe(true) };
}

async function take(permits: SharedPermits, place: MailPlace): Promise<HostPermit> {
  const answer = await permits.acquire({ place, customer: '' }, never, nobody);
  if ('restMs' in answer) throw new Error('The host rests.');
  return answer;
}

const countRows = async (where = 'true'): Promise<number> =>
  (await database.pool.query(`select count(*)::int as count from host_permits where ${where}`)).rows[0].count;

const untilRestIsStored = () =>
  expect.poll(async () => (await database.pool.query('select from host_rests')).rowCount).toBe(1);

/** Makes holders and rests older, as if the database's clock had moved. */
const letTimePass = (seconds: number) =>
  database.pool.query(
    `with holders as (update permit_holders set seen_at = seen_at - $1 * interval '1 second',
       returned_at = returned_at - $1 * interval '1 second')
     update host_rests set until = until - $1 * interval '1 second'`,
    [seconds],
  );

describe('the limits that holders share', () => {
  it.each([1, 2, 3])('are never exceeded, and every request is granted (seed %i)', async (seed) => {
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
    ['per host', { perHost: 3, perProvider: 50, total: 50 }, 9],
    ['per provider', { perHost: 50, perProvider: 3, total: 50 }, 6],
    ['in total', { perHost: 50, perProvider: 50, total: 5 }, 5],
  ])('are used up to the last connection: %s', async (_, limits, expected) => {
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

  it('are separate for each share and each egress address', async () => {
    const limits = { ...roomy, perHost: 1 };
    const share = { limits, share: 'prompt' };
    for (const options of [{ limits }, share, { limits, egress: 'elsewhere' }]) {
      await take(newHolder(options).permits, mx);
    }

    await ask(newHolder(share).permits, mx).untilShort();
    expect(await countRows('is_granted')).toBe(3);
  });

  it('a notice passes a released connection on, before the next report', async () => {
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

  it('a holder gets a second connection to a host only after every waiting holder has a first', async () => {
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

  it('a free connection goes to the oldest request of all holders', async () => {
    const limits = { ...roomy, perHost: 1 };
    const permit = await take(newHolder({ limits }).permits, mx);
    const waiting = [];
    for (const permits of [await newListener({ limits }), await newListener({ limits })]) {
      const next = ask(permits, mx);
      await next.untilShort();
      waiting.push(next);
    }

    permit.release();

    await waiting[0]?.answered;
    expect(waiting[1]?.asked.answer).toBeUndefined();
  });

  it('a holder learns which of its hosts keep another from a first connection, until none does', async () => {
    const limits = { perHost: 8, perProvider: 1, total: 500 };
    const [blocking, starving] = [await newListener({ limits }), await newListener({ limits })];
    const wanted: string[][] = [];
    blocking.watchWanted((hosts) => wanted.push([...hosts]));
    const permit = await take(blocking, mx);
    await take(blocking, { host: '192.0.2.9', provider: 'small.test' });

    const waiting = ask(starving, otherMx);
    await expect.poll(() => wanted).toEqual([[mx.host]]);
    permit.release();

    await waiting.answered;
    await expect.poll(() => wanted).toEqual([[mx.host], []]);
  });
});

describe('the customers of a share', () => {
  const limits = { perHost: 2, perProvider: 16, total: 8 };
  const hostOf = (name: string): MailPlace => ({ host: name, provider: name });

  it('leave room for each other, whatever one asks for in how many engines', async () => {
    const holders = await Promise.all([1, 2].map(() => newListener({ limits })));
    const many = holders.flatMap((permits, holder) =>
      Array.from({ length: 10 }, (_, index) => ask(permits, hostOf(`${holder} ${index}`), never, 'many')),
    );
    const countGranted = () => many.filter(({ asked }) => asked.answer !== undefined).length;
    await expect.poll(countGranted).toBe(6);

    const few = ask(newHolder({ limits }).permits, mx, never, 'few');

    await few.answered;
    expect(countGranted()).toBe(6);
  });

  it('do not stand in front of each other at a host', async () => {
    const { permits } = newHolder({ limits });
    const many = Array.from({ length: 8 }, (_, index) => ask(permits, hostOf(`${index}`), never, 'many'));
    await expect.poll(() => many.filter(({ asked }) => asked.isShort)).toHaveLength(2);
    const more = [1, 2, 3].map(() => ask(permits, mx, never, 'many'));
    await Promise.all(more.map(({ untilShort }) => untilShort()));

    await ask(permits, mx, never, 'few').answered;

    expect(more.map(({ asked }) => asked.answer)).toEqual([undefined, undefined, undefined]);
  });
});

describe('a customer without a connection, when all of a share are taken', () => {
  const limits = { perHost: 2, perProvider: 16, total: 4 };
  const hostOf = (name: string): MailPlace => ({ host: name, provider: name });

  /** One engine has three connections of one customer, another has one of another customer. */
  const openCrowded = async (options: HolderOptions = {}) => {
    const [first, second] = [
      await newListener({ limits, ...options }),
      await newListener({ limits, ...options }),
    ];
    const reports: string[] = [];
    for (const [name, permits] of Object.entries({ first, second }))
      permits.watchCrowding((customer) => reports.push(`${name} ${customer}`));
    const held = await Promise.all(
      ['a0', 'a1', 'a2'].map((host) => ask(first, hostOf(host), never, 'many').answered),
    );
    await ask(second, hostOf('b0'), never, 'few').answered;
    return { first, second, held, reports };
  };
  const release = (permit: HostPermit | HostRest | undefined) => {
    if (permit && 'release' in permit) permit.release();
  };

  it('is reported, with the customer who has the most, to the engine that has those connections', async () => {
    const { second, held, reports } = await openCrowded();
    for (const customer of ['many', 'few', '']) await ask(second, mx, never, customer).untilShort();
    expect(reports, 'those who wait have some, or are nobody').toEqual([]);

    const newcomer = ask(second, hostOf('c0'), never, 'newcomer');
    // Each exchange says it again, until the newcomer has one.
    await expect.poll(() => new Set(reports)).toEqual(new Set(['first many']));
    release(held[0]);

    // First, although others have waited for longer.
    await newcomer.answered;
    expect(new Set(reports)).toEqual(new Set(['first many']));
  });

  it('is not reported if it waits for a host that has no room', async () => {
    const { second, reports } = await openCrowded({ limits: { ...limits, perHost: 1 } });
    await ask(second, hostOf('a0'), never, 'newcomer').untilShort();
    expect(reports).toEqual([]);
  });

  it('takes no last connection of another', async () => {
    const { second, held, reports } = await openCrowded();
    for (const [index, permit] of held.slice(0, 2).entries()) {
      const newcomer = ask(second, hostOf(`c${index}`), never, `newcomer ${index}`);
      await newcomer.untilShort();
      release(permit);
      await newcomer.answered;
    }
    await expect.poll(() => reports).toEqual(['first many', 'first many']);
    await ask(second, hostOf('d'), never, 'newcomer').untilShort();
    expect(reports).toHaveLength(2);
  });
});

describe('a holder that closes or falls silent', () => {
  const limits = { ...roomy, perHost: 1 };

  it('loses its connections after five seconds', async () => {
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

    // The waiting holder reported a moment ago, the silent one more than five seconds ago.
    await letTimePass(2);
    await expect.poll(() => waiting.asked.answer !== undefined || clock.advance({ seconds: 1 })).toBe(true);

    expect(await countRows()).toBe(1);
  });

  it('gives its connections back when it closes', async () => {
    const ending = newHolder({ limits });
    await take(ending.permits, mx);
    const waiting = ask(await newListener({ limits }), mx);
    await waiting.untilShort();

    await ending.permits.close();

    await waiting.answered;
  });

  it('reports what it has after a database crash, and no request is granted until all have reported', async () => {
    const { permits, clock } = newHolder({ limits: { ...roomy, perHost: 2 } });
    await take(permits, mx);
    // A crash of the database empties unlogged tables.
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

  it('gets what it waits for when the answer to its report was lost', async () => {
    const { permits, clock } = newHolder({ limits });
    const permit = await take(permits, mx);
    const waiting = ask(permits, mx);
    await waiting.untilShort();
    // As after a crash and a first report whose answer was lost.
    await database.pool.query('delete from host_permits');

    clock.advance({ seconds: 1 });
    await expect.poll(() => countRows()).toBe(2);
    permit.release();

    await waiting.answered;
  });
});

describe("a provider's own limit", () => {
  const ofFour = { providerConnections: 4 };

  it('holds for all its hosts and all workers, and others keep theirs', async () => {
    const { permits: one } = newHolder();
    const { permits: two, clock } = newHolder();
    const held = [await take(one, { ...mx, ...ofFour }), await take(two, { ...mx, ...ofFour })];
    held.push(await take(one, { ...otherMx, ...ofFour }), await take(two, { ...otherMx, ...ofFour }));
    const fifth = ask(two, { ...mx, ...ofFour });
    await fifth.untilShort();
    await take(one, { host: '192.0.2.3', provider: 'small.test' });
    expect(fifth.asked.answer).toBeUndefined();

    held[0]?.release();

    await expect.poll(() => fifth.asked.answer !== undefined || clock.advance({ seconds: 1 })).toBe(true);
  });

  it('is split between the shares, and each gets at least one connection', async () => {
    const limitOf = async (providerConnections: number, partOfProvider: number) => {
      const { permits } = newHolder({ partOfProvider });
      await take(permits, { ...mx, provider: `of ${providerConnections}`, providerConnections });
      const { rows } = await database.pool.query('select provider_limit from host_permits');
      await permits.close();
      return rows[0].provider_limit;
    };

    expect([await limitOf(5, 0.75), await limitOf(5, 0.25)]).toEqual([3, 1]);
    expect([await limitOf(2, 0.75), await limitOf(2, 0.25)]).toEqual([1, 1]);
  });
});

describe('a host that asked us to slow down', () => {
  it('rests with all hosts of its provider when the provider asked for it', async () => {
    newHolder().permits.holdOff(mx, 60_000, 'provider');
    await untilRestIsStored();

    expect(await newHolder().permits.acquire({ place: otherMx, customer: '' }, never, nobody)).toHaveProperty(
      'restMs',
    );
    await take(newHolder().permits, { host: '192.0.2.3', provider: 'small.test' });
  });

  it('rests for all shares of the egress address, but not for other addresses', async () => {
    const told = newHolder();
    told.permits.holdOff(mx, 60_000, 'host');
    await untilRestIsStored();

    const answer = await newHolder({ share: 'prompt' }).permits.acquire(
      { place: mx, customer: '' },
      never,
      nobody,
    );

    expect(answer).toEqual({ restMs: expect.any(Number) });
    expect((answer as HostRest).restMs).toBeGreaterThan(0);
    expect((answer as HostRest).restMs).toBeLessThanOrEqual(60_000);
    await take(newHolder().permits, otherMx);
    await take(newHolder({ egress: 'elsewhere' }).permits, mx);
    // The holder that the host told keeps the time itself.
    await take(told.permits, mx);
  });

  it('gets connections again when its rest is over', async () => {
    newHolder().permits.holdOff(mx, 60_000, 'host');
    await untilRestIsStored();
    const other = newHolder().permits;
    expect(await other.acquire({ place: mx, customer: '' }, never, nobody)).toHaveProperty('restMs');

    await letTimePass(61);

    await take(other, mx);
  });

  it('ends the wait of requests that already wait for it', async () => {
    const limits = { ...roomy, perHost: 1 };
    const holder = newHolder({ limits });
    await take(holder.permits, mx);
    const { permits, clock } = newHolder({ limits });
    const waiting = ask(permits, mx);
    await waiting.untilShort();

    holder.permits.holdOff(mx, 60_000, 'host');
    await untilRestIsStored();
    clock.advance({ seconds: 1 });

    expect(await waiting.answered).toMatchObject({ restMs: expect.any(Number) });
    await expect.poll(() => countRows()).toBe(1);
  });
});

describe('a cancelled request', () => {
  it('leaves no row, and the next request is granted', async () => {
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

  it('gives back a connection that was granted at the same moment', async () => {
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

  it('is never sent when it was cancelled before', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(newHolder().permits.acquire({ place: mx, customer: '' }, gone, nobody)).rejects.toThrow(
      'gone',
    );
    expect(await countRows()).toBe(0);
  });
});

describe('while the database is unreachable', () => {
  it('a request waits, and is granted once although the connection broke during the exchange', async () => {
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

  it('an exchange that arrives after a later one changes nothing', async () => {
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

  it('no request is refused, and close does not wait', async () => {
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
  it('removes silent holders and past rests, and keeps live ones', async () => {
    const gone = newHolder();
    await take(gone.permits, mx);
    gone.permits.holdOff(mx, 1_000, 'host');
    await untilRestIsStored();
    await letTimePass(61);
    await take(newHolder({ egress: 'elsewhere' }).permits, mx);

    await sweepPermits(database.db);

    const { rows } = await database.pool.query('select share from permit_holders');
    expect(rows).toEqual([{ share: 'elsewhere/bulk' }]);
    expect((await database.pool.query('select from host_rests')).rowCount).toBe(0);
    expect(await countRows()).toBe(1);
  });
});

/** Delays every exchange of a share, as a slow exchange of another holder would. */
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
    /** Resolves with the backend that waits. */
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
