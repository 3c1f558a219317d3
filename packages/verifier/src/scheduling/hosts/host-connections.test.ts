import { describe, expect, it } from 'vitest';
import { FakeSession } from '../../testing/fake-session.ts';
import { buildJob, RecordingClient } from '../../testing/jobs.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import type { JobSession } from '../jobs/job.ts';
import { type ConnectionsOwner, HostConnections } from './host-connections.ts';
import { HostManners } from './host-manners.ts';
import type { HostPermit, HostRest } from './host-permits.ts';

const idleMs = 2_000;
const turn = () => new Promise(setImmediate);

/** The connections of one host. Permits wait until the test answers them. */
function openConnections() {
  const clock = new ManualClock();
  const sessions: FakeSession[] = [];
  const log: string[] = [];
  const situation = { hasWork: true, mayRest: true };
  const requests: (PromiseWithResolvers<HostPermit | HostRest> & {
    customer: string;
    signal: AbortSignal;
    onShort(): void;
  })[] = [];
  const owner = {
    hasWork: () => situation.hasWork,
    mayRest: () => situation.mayRest,
    onOpening: () => {},
    areAllDelayed: () => false,
    onPermitLate: (customer: string) => log.push(`late for ${customer}`),
    onHostRests: (forMs: number) => log.push(`rests for ${forMs}`),
    onShortOfPermits: (isShort: boolean) => log.push(isShort ? 'short' : 'not short'),
    onGreeting: () => {},
    onReady: () => {},
    onAnswer: () => {},
    onRead: () => {},
    onEnd: (session: JobSession) => connections.onEnd(session),
  } as unknown as ConnectionsOwner;
  const connections = new HostConnections(
    { host: '192.0.2.1', provider: 'example.com' },
    { host: 'mx', ips: ['192.0.2.1', '192.0.2.2'] },
    new HostManners({ recipientsPerTransaction: 100, connectionsPerHost: 8 }),
    {
      clock,
      limits: { idleMs },
      permits: {
        acquire: ({ customer }, signal, onShort) => {
          const request = { ...Promise.withResolvers<HostPermit | HostRest>(), customer, signal, onShort };
          requests.push(request);
          return request.promise;
        },
      },
      openSession: (target, sessionOwner) => {
        const session = new FakeSession(target, sessionOwner);
        sessions.push(session);
        return session;
      },
    },
    owner,
  );
  const grant = async () => {
    requests.shift()?.resolve({ release: () => log.push('released') });
    await turn();
  };
  /** Opens this many connections that have nothing to do. */
  const openIdle = async (count: number) => {
    connections.open(count, ['']);
    while (requests.length > 0) await grant();
    for (const session of sessions) session.ready();
    log.length = 0;
  };
  return { connections, clock, sessions, log, situation, requests, grant, openIdle };
}

describe('opening connections', () => {
  it('asks for each customer who waits while there is none, and gives back what is too much', async () => {
    const { connections, requests, sessions, log, grant } = openConnections();

    connections.open(1, ['many', 'few']);
    connections.open(1, ['many', 'few']);
    expect(requests.map(({ customer }) => customer)).toEqual(['many', 'few']);

    requests.reverse();
    await grant();
    expect(sessions).toHaveLength(1);
    await grant();
    expect(sessions).toHaveLength(1);
    expect(log).toContain('released');
  });

  it('tells its owner of each minute that a customer waits for a permit', async () => {
    const { connections, clock, log, grant } = openConnections();

    connections.open(1, ['many']);
    clock.advance(60_000);
    clock.advance(60_000);
    expect(log.filter((line) => line === 'late for many')).toHaveLength(2);

    await grant();
    clock.advance(60_000);
    expect(log.filter((line) => line === 'late for many')).toHaveLength(2);
  });

  it('requests a permit for each missing connection, and none for those that are on their way', async () => {
    const { connections, requests, sessions, grant } = openConnections();

    connections.open(2, ['']);
    connections.open(3, ['']);
    expect(requests).toHaveLength(3);
    expect(connections.isQuiet).toBe(false);
    await grant();
    connections.open(3, ['']);

    expect(requests).toHaveLength(2);
    expect(sessions).toHaveLength(1);
    expect(connections.count).toBe(1);
  });

  it('replaces connections that are leaving or spent', async () => {
    const { connections, requests, sessions, openIdle } = openConnections();
    await openIdle(3);
    sessions[0]?.quit();
    sessions[1]?.ask([buildJob('a@example.com')]);
    connections.spend(sessions[1] as FakeSession);

    connections.open(3, ['']);

    expect(requests).toHaveLength(2);
  });

  it('begins with another address of the host each time', async () => {
    const { sessions, openIdle } = openConnections();

    await openIdle(3);

    expect(sessions.map(({ firstIp }) => firstIp)).toEqual([0, 1, 0]);
  });

  it('gives the permit back when there is nothing left to ask', async () => {
    const { connections, sessions, situation, log, grant } = openConnections();
    connections.open(1, ['']);
    situation.hasWork = false;

    await grant();

    expect(sessions).toEqual([]);
    expect(log).toEqual(['not short', 'released']);
    expect(connections.isQuiet).toBe(true);
  });

  it('reports a shortage a turn later, and its end with the last permit', async () => {
    const { connections, requests, log, grant } = openConnections();
    connections.open(2, ['']);
    requests[0]?.onShort();
    expect(log).toEqual([]);
    await turn();
    expect(log).toEqual(['short']);

    await grant();
    expect(log).toEqual(['short']);
    await grant();

    expect(log).toEqual(['short', 'not short']);
  });

  it('reports no shortage when the permit came in the meantime', async () => {
    const { connections, requests, log, grant } = openConnections();
    connections.open(1, ['']);
    requests[0]?.onShort();

    await grant();

    expect(log).toEqual(['not short']);
  });

  it('reports the rest of a host, and a short one when permits fail', async () => {
    const { connections, requests, log } = openConnections();
    connections.open(2, ['']);

    requests[0]?.resolve({ restMs: 30_000 });
    requests[1]?.reject(new Error('no database'));
    await turn();

    expect(log).toEqual(['rests for 30000', 'not short', 'rests for 1000']);
  });

  it('gives back a permit that comes after the opening was abandoned', async () => {
    const { connections, requests, sessions, log, grant } = openConnections();
    connections.open(1, ['']);
    const { signal } = requests[0] ?? {};

    connections.abandonOpening();
    expect(signal?.aborted).toBe(true);
    expect(connections.isQuiet).toBe(true);
    await grant();

    expect(sessions).toEqual([]);
    expect(log).toEqual(['not short', 'released']);
    connections.open(1, ['']);
    expect(requests[0]?.signal.aborted).toBe(false);
  });

  it('reports nothing about requests that were abandoned', async () => {
    const { connections, requests, log } = openConnections();
    connections.open(3, ['']);
    requests[2]?.onShort();

    connections.abandonOpening();
    requests[0]?.resolve({ restMs: 30_000 });
    requests[1]?.reject(new Error('no database'));
    await turn();

    expect(log).toEqual(['not short']);
  });
});

describe('choosing a connection', () => {
  it('takes the ready one with the least to do that is neither leaving nor spent', async () => {
    const { connections, sessions, openIdle } = openConnections();
    await openIdle(4);
    const [busy, free, leaving, spent] = sessions as [FakeSession, FakeSession, FakeSession, FakeSession];
    busy.ask(['a', 'b', 'c'].map((name) => buildJob(name)));
    free.ask(['d', 'e'].map((name) => buildJob(name)));
    leaving.quit();
    spent.ask([buildJob('f')]);
    connections.spend(spent);

    expect(connections.freest()).toBe(free);
    expect(connections.readyCount).toBe(3);
  });

  it('finds none before the host has greeted us', async () => {
    const { connections, grant } = openConnections();
    connections.open(1, ['']);
    await grant();

    expect(connections.freest()).toBeUndefined();
    expect(connections.readyCount).toBe(0);
  });
});

describe('a connection with nothing to do', () => {
  it('quits after its idle time, counted from the first rest', async () => {
    const { connections, clock, sessions, openIdle } = openConnections();
    await openIdle(1);

    connections.rest();
    clock.advance(idleMs - 1);
    connections.rest();
    expect(clock.timerCount).toBe(1);
    expect(sessions[0]?.state).toBe('open');
    clock.advance(1);

    expect(sessions[0]?.state).toBe('quitting');
  });

  it('stays while it has work, and then rests again', async () => {
    const { connections, clock, sessions, openIdle } = openConnections();
    await openIdle(1);
    connections.rest();

    connections.wake(sessions[0] as FakeSession);
    sessions[0]?.ask([buildJob('a')]);
    connections.rest();
    clock.advance(idleMs);
    expect(sessions[0]?.state).toBe('open');

    sessions[0]?.answer('250 OK');
    connections.rest();
    clock.advance(idleMs);
    expect(sessions[0]?.state).toBe('quitting');
  });

  it('quits at once when others need it or it is spent', async () => {
    const { connections, sessions, situation, openIdle } = openConnections();
    await openIdle(3);
    const [idle, working] = sessions as [FakeSession, FakeSession];
    working.ask([buildJob('a')]);
    connections.spend(idle);
    connections.spend(working);
    expect(connections.isSpent(idle)).toBe(true);
    expect(sessions.map(({ state }) => state)).toEqual(['quitting', 'open', 'open']);

    working.answer('250 OK');
    connections.rest();
    expect(sessions.map(({ state }) => state)).toEqual(['quitting', 'quitting', 'open']);
    situation.mayRest = false;
    connections.rest();

    expect(sessions.map(({ state }) => state)).toEqual(['quitting', 'quitting', 'quitting']);
  });

  it('quits on request, and one with work stays', async () => {
    const { connections, sessions, openIdle } = openConnections();
    await openIdle(2);
    sessions[0]?.ask([buildJob('a@example.com')]);

    connections.closeIdle();

    expect(sessions.map(({ state }) => state)).toEqual(['open', 'quitting']);
  });
});

describe('the end of a connection', () => {
  it('gives its permit back once and stops its idle timer', async () => {
    const { connections, clock, sessions, log, openIdle } = openConnections();
    await openIdle(1);
    connections.rest();

    sessions[0]?.abort();
    connections.onEnd(sessions[0] as FakeSession);

    expect(log).toEqual(['released']);
    expect(clock.timerCount).toBe(0);
    expect(connections.isQuiet).toBe(true);
  });

  it('is polite on close, except for work under way and for requests of permits', async () => {
    const { connections, sessions, requests, openIdle } = openConnections();
    await openIdle(2);
    sessions[0]?.ask([buildJob('a@example.com')]);
    connections.open(3, ['']);

    connections.close();

    expect(sessions.map(({ state }) => state)).toEqual(['over', 'quitting']);
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  it('is immediate on abort', async () => {
    const { connections, sessions, log, openIdle } = openConnections();
    await openIdle(2);

    connections.abort();

    expect(sessions.map(({ state }) => state)).toEqual(['over', 'over']);
    expect(log).toEqual(['not short', 'released', 'released']);
  });

  it('is immediate where all questions belong to cancelled clients', async () => {
    const { connections, sessions, openIdle } = openConnections();
    await openIdle(3);
    const cancelled = new RecordingClient({ isCancelled: true });
    sessions[0]?.ask([buildJob('a@example.com', cancelled)]);
    sessions[1]?.ask([buildJob('b@example.com', cancelled), buildJob('c@example.com')]);

    connections.abortUnwanted();

    expect(sessions.map(({ state }) => state)).toEqual(['over', 'open', 'open']);
  });
});
