import { describe, expect, it } from 'vitest';
import { createMemoryLedger, Governor } from '../../conduct/governor.ts';
import { FakeSession } from '../../testing/fake-session.ts';
import { buildJob, RecordingClient } from '../../testing/jobs.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Agenda } from '../jobs/agenda.ts';
import { createMemoryPermits, type HostPermits } from './host-permits.ts';
import type { HostPool } from './host-pool.ts';
import { HostPools } from './host-pools.ts';
import type { PoolOwner } from './pool-services.ts';

const turn = () => new Promise(setImmediate);
const ips = { one: ['192.0.2.1'], two: ['192.0.2.2'], three: ['192.0.2.3'] };

/** Pools with fake sessions. All of them share this many connections. */
function openPools({ total = 8 } = {}) {
  const clock = new ManualClock();
  const sessions: FakeSession[] = [];
  const situation = { mayRest: true, isMoreComing: false };
  let onWanted: (hosts: ReadonlySet<string>) => void = () => {};
  const deferred: string[] = [];
  const permits: HostPermits = {
    ...createMemoryPermits({ perHost: total, perProvider: total, total }, clock),
    watchWanted: (told) => {
      onWanted = told;
    },
  };
  const owner = {
    admit: (_pool, jobs) => jobs,
    mayStillAsk: () => true,
    onAccepted: () => {},
    onRead: () => {},
    onTransactionOver: () => {},
    onConnectionGone: () => {},
    isMoreComing: () => situation.isMoreComing,
    waitsUntil: () => true,
    deferUnasked: (_pool, { mailbox }, cause, { note }) => deferred.push(`${mailbox} ${cause}: ${note}`),
  } as Partial<PoolOwner> as PoolOwner;
  const pools = new HostPools({
    mayRest: () => situation.mayRest,
    providerOf: (host) => ({
      name: host.slice(host.indexOf('.') + 1),
      ...(host.endsWith('.published.test') && { restAfter: () => undefined }),
    }),
    services: {
      clock,
      agenda: new Agenda(clock),
      owner,
      permits,
      governor: new Governor(createMemoryLedger(clock), clock),
      ourNames: [],
      limits: { recipientsPerTransaction: 100, connectionsPerHost: 8, idleMs: 2_000 },
      openSession: (target, sessionOwner) => {
        const session = new FakeSession(target, sessionOwner);
        sessions.push(session);
        return session;
      },
    },
  });
  const add = async (pool: HostPool, name: string, client = new RecordingClient()) => {
    pool.add(buildJob(name, client));
    await turn();
  };
  /** A host with one connection that has nothing to do. */
  const openIdle = async (host: string, addresses: readonly string[]) => {
    const pool = pools.poolOf(host, addresses);
    await add(pool, 'first');
    const session = sessions.at(-1) as FakeSession;
    session.ready();
    await turn();
    session.answer('250 OK');
    await turn();
    return { pool, session };
  };
  return {
    clock,
    pools,
    sessions,
    situation,
    deferred,
    add,
    openIdle,
    tellWanted: (...hosts: string[]) => onWanted(new Set(hosts)),
  };
}

const restUntil = (until: number) => ({
  until,
  found: { kind: 'slow_down', reason: 'host_deferred' } as never,
  stage: { stage: 'rcpt' as const },
});

describe('the pool of a host', () => {
  it("is a pool of its own for the names of a published provider, so that no stranger's name lifts its limits", () => {
    const { pools } = openPools();
    const strangers = pools.poolOf('mx.evil.test', ips.one);
    const published = pools.poolOf('mx1.published.test', ips.one);
    expect(published.place).toEqual({ host: strangers.place.host, provider: 'published.test' });
    expect(pools.poolOf('mx2.published.test', ips.one)).toBe(published);
    expect(pools.poolOf('mx.other.test', ips.one)).toBe(strangers);
  });

  it('is the same for all names of the same addresses, in any order', () => {
    const { pools } = openPools();
    const pool = pools.poolOf('mx1.big.test', ['192.0.2.1', '192.0.2.2']);

    expect(pools.poolOf('mx2.other.test', ['192.0.2.2', '192.0.2.1'])).toBe(pool);
    expect(pools.poolOf('mx1.big.test', ['192.0.2.1'])).not.toBe(pool);
    expect(pool.place).toEqual({ host: '192.0.2.1 192.0.2.2', provider: 'big.test' });
  });

  it('is forgotten when there are too many, unless it has work', async () => {
    const { pools, add } = openPools();
    const quiet = pools.poolOf('mx.quiet.test', ips.one);
    const busy = pools.poolOf('mx.busy.test', ips.two);
    await add(busy, 'a');

    for (let index = 0; index < 5_000; index++) {
      pools.poolOf('mx.many.test', [`198.51.${index >> 8}.${index % 256}`]);
    }

    expect(pools.poolOf('mx.busy.test', ips.two)).toBe(busy);
    expect(pools.poolOf('mx.quiet.test', ips.one)).not.toBe(quiet);
  });
});

describe('a customer without a connection, when all are taken', () => {
  const of = (customer: string) => new RecordingClient({ customer, isUrgent: true });
  const put = (name: string) =>
    `${name} no-free-connection: no answer so far; another customer needed the connection`;

  /** Three connections of one customer, to hosts that stay silent since 5, 4 and 3 seconds, and one of another. */
  const openSilent = async () => {
    const open = openPools({ total: 4 });
    const { clock, pools, sessions, add } = open;
    for (const [index, customer] of ['many', 'many', 'many', 'few'].entries()) {
      await add(pools.poolOf(`mx.h${index}.test`, [`192.0.2.${index}`]), `jane${index}`, of(customer));
      Object.assign(sessions[index] as FakeSession, { startedAt: clock.now() });
      clock.advance(1_000);
    }
    clock.advance(1_000);
    const newcomer = (index: number) =>
      add(
        pools.poolOf(`mx.h${index}.test`, [`192.0.2.${index}`]),
        `newcomer${index}`,
        of(`newcomer ${index}`),
      );
    return { ...open, newcomer };
  };

  it('gets that of the most silent host of the customer with the most, whose address is deferred', async () => {
    const { clock, sessions, deferred, newcomer } = await openSilent();
    // A host that sends bytes and no answer is silent.
    Object.assign(sessions[0] as FakeSession, { readAt: clock.now() });
    await newcomer(10);
    await turn();
    expect(deferred).toEqual([put('jane0')]);
    expect(sessions.map(({ state }) => state)).toEqual(['over', 'opening', 'opening', 'opening', 'opening']);
    expect(sessions[4]?.target.host).toBe('mx.h10.test');

    await newcomer(11);
    await turn();
    expect(deferred).toEqual([put('jane0'), put('jane1')]);
    // Nobody has more than one now.
    await newcomer(12);
    await turn();
    expect(deferred).toHaveLength(2);
  });

  it('leaves a host that answers, and one that was asked a moment ago', async () => {
    const { clock, sessions, deferred, newcomer } = await openSilent();
    const [first, second, third] = sessions as [FakeSession, FakeSession, FakeSession];
    const spokeAt = clock.now() - 1_500;
    Object.assign(first, { isReady: true, answeredSinceIdle: 1, readAt: spokeAt });
    Object.assign(second, { isReady: true, askedAt: spokeAt });
    third.startedAt = spokeAt;
    await newcomer(10);
    await turn();
    expect(deferred).toEqual([]);
    second.askedAt = clock.now();
    third.startedAt = clock.now();
    clock.advance(1_000);
    await turn();
    expect(deferred).toEqual([put('jane0')]);
  });

  it('leaves the addresses of others at that host to another connection', async () => {
    const { pools, sessions, deferred, add, newcomer } = await openSilent();
    await add(pools.poolOf('mx.h0.test', ['192.0.2.0']), 'other', of('few'));
    await newcomer(10);
    await turn();
    expect(deferred).toEqual([put('jane0')]);
    sessions[3]?.end({ kind: 'lost' });
    await turn();
    expect(sessions.at(-1)?.target.host).toBe('mx.h0.test');
  });
});

describe('the rest of a provider', () => {
  it('holds for all its hosts, also for those that come later, and for no others', async () => {
    const { clock, pools, sessions, add } = openPools();
    const known = pools.poolOf('mx1.big.test', ips.one);
    const other = pools.poolOf('mx.small.test', ips.three);

    pools.onProviderRests('big.test', restUntil(clock.now() + 60_000));
    await add(known, 'a');
    await add(pools.poolOf('mx2.big.test', ips.two), 'b');
    expect(sessions).toHaveLength(0);
    await add(other, 'c');
    expect(sessions.map(({ target }) => target.host)).toEqual(['mx.small.test']);

    clock.advance(60_000);
    await turn();
    expect(sessions.map(({ target }) => target.host).toSorted()).toEqual([
      'mx.small.test',
      'mx1.big.test',
      'mx2.big.test',
    ]);
  });
});

describe('when connections are short', () => {
  it('an idle one goes to a host that has none', async () => {
    const { pools, sessions, add, openIdle } = openPools({ total: 1 });
    const { session } = await openIdle('mx.idle.test', ips.one);
    expect(session.state).toBe('open');

    await add(pools.poolOf('mx.starving.test', ips.two), 'a');
    await turn();
    expect(session.state).toBe('quitting');
    session.end({ kind: 'aborted' });
    await turn();

    expect(sessions.map(({ target }) => target.host)).toEqual(['mx.idle.test', 'mx.starving.test']);
  });

  it('no host keeps an idle one while another has none, and the starving one counts only for others', async () => {
    const { pools, add, openIdle } = openPools({ total: 1 });
    const { pool, session } = await openIdle('mx.idle.test', ips.one);
    expect(pools.mayRest(pool)).toBe(true);
    const starving = pools.poolOf('mx.starving.test', ips.two);
    await add(starving, 'a');
    await turn();

    expect(pools.isCrowded(pool)).toBe(true);
    expect(pools.mayRest(pool)).toBe(false);
    expect(pools.isCrowded(starving)).toBe(false);

    session.end({ kind: 'aborted' });
    await turn();
    expect(pools.isCrowded(pool)).toBe(false);
  });

  it('a host that has one takes none from others', async () => {
    const { pools, openIdle } = openPools();
    const { pool } = await openIdle('mx.one.test', ips.one);
    const { session: other } = await openIdle('mx.two.test', ips.two);

    pools.onShortOfPermits(pool, true);

    expect(other.state).toBe('open');
  });

  it('another process gets the idle ones of the hosts that it waits for', async () => {
    const { pools, openIdle, tellWanted } = openPools();
    const wanted = await openIdle('mx.one.test', ips.one);
    const other = await openIdle('mx.two.test', ips.two);

    tellWanted(wanted.pool.place.host);

    expect([wanted.session.state, other.session.state]).toEqual(['quitting', 'open']);
    expect([pools.isCrowded(wanted.pool), pools.isCrowded(other.pool)]).toEqual([true, false]);
    tellWanted();
    expect(pools.isCrowded(wanted.pool)).toBe(false);
  });

  it('none is kept idle when no more addresses will come', () => {
    const { pools, situation } = openPools();
    const pool = pools.poolOf('mx.one.test', ips.one);
    situation.mayRest = false;

    expect(pools.mayRest(pool)).toBe(false);
  });
});

describe('while more addresses arrive', () => {
  it('a host with a few addresses waits, and asks when no more arrive', async () => {
    const { pools, situation, add, openIdle } = openPools();
    const { pool, session } = await openIdle('mx.one.test', ips.one);
    situation.isMoreComing = true;
    await add(pool, 'a');
    expect(session.transactions).toEqual([['first']]);

    situation.isMoreComing = false;
    pools.onFilled();
    await turn();

    expect(session.transactions).toEqual([['first'], ['a']]);
  });
});

describe('the end of all pools', () => {
  it('quits every connection and resolves after the last one', async () => {
    const { pools, openIdle } = openPools();
    const { session: first } = await openIdle('mx.one.test', ips.one);
    const { session: second } = await openIdle('mx.two.test', ips.two);
    let isClosed = false;
    const closing = pools.close().then(() => {
      isClosed = true;
    });
    expect([first.state, second.state]).toEqual(['quitting', 'quitting']);

    first.end({ kind: 'aborted' });
    await turn();
    expect(isClosed).toBe(false);
    second.end({ kind: 'aborted' });

    await closing;
  });

  it('resolves at once without connections', async () => {
    const { pools } = openPools();
    pools.poolOf('mx.one.test', ips.one);

    await pools.close();
  });

  it('drops every connection on abort, and idle ones on request', async () => {
    const { pools, add, openIdle } = openPools();
    const { session: idle } = await openIdle('mx.one.test', ips.one);
    const { pool, session: busy } = await openIdle('mx.two.test', ips.two);
    await add(pool, 'a');

    pools.closeIdle();
    expect([idle.state, busy.state]).toEqual(['quitting', 'open']);
    pools.abort();

    expect([idle.state, busy.state]).toEqual(['over', 'over']);
  });

  it('a cancelled client ends the connection that serves only it', async () => {
    const { pools, add, openIdle } = openPools();
    const { pool, session } = await openIdle('mx.one.test', ips.one);
    const client = new RecordingClient();
    await add(pool, 'a', client);
    client.isCancelled = true;

    pools.dropCancelled();

    expect(session.state).toBe('over');
  });
});
