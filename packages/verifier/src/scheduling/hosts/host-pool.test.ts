import { describe, expect, it } from 'vitest';
import type { SessionEnding } from '../../smtp/session-types.ts';
import type { FakeSession } from '../../testing/fake-session.ts';
import { buildControl, buildJob, RecordingClient } from '../../testing/jobs.ts';
import { ok, openPool, turn, unpipelined } from '../../testing/open-pool.ts';
import { MailDomain } from '../jobs/job.ts';
import type { HostPermit, HostPermits } from './host-permits.ts';

describe('while more addresses arrive', () => {
  it('asks when half a transaction waits for one domain', async () => {
    const { events, situation, sessions, add, open } = openPool();
    situation.isMoreComing = true;
    await add(24);
    const session = await open();
    expect(session.transactions).toEqual([]);
    expect(events).toContain('held back');
    await add(1, 'v');
    expect(session.transactions.map(({ length }) => length)).toEqual([25]);
    expect(sessions).toHaveLength(1);
  });

  it('asks at once about an urgent address', async () => {
    const { pool, situation, domain, open } = openPool();
    situation.isMoreComing = true;
    pool.add(buildJob('urgent', new RecordingClient({ isUrgent: true }), domain));
    await turn();
    const session = await open();
    expect(session.transactions).toEqual([['urgent']]);
  });

  it('asks at once without PIPELINING, where a longer transaction saves little', async () => {
    const { situation, add, open } = openPool();
    situation.isMoreComing = true;
    await add(3);
    const session = await open(unpipelined);
    expect(session.transactions).toEqual([['u1', 'u2', 'u3']]);
  });
});

describe('the queue of a host', () => {
  it('defers single checks of a customer who gets no connection for a minute, and keeps the others', async () => {
    const { clock, pool, domain, log, stages, add } = openPool({ permit: () => new Promise(() => {}) });
    const single = (name: string, customer: string) =>
      pool.add(buildJob(name, new RecordingClient({ customer, isUrgent: true }), domain));
    await add(1);
    single('single', '');
    await turn();
    clock.advance(30_000);
    single('other', 'other');
    await turn();
    clock.advance(30_000);
    expect(log).toEqual(['single put off']);
    expect(stages).toEqual([
      {
        stage: 'connect',
        host: 'mx',
        note: 'no free connection for a minute; the mail host was not asked',
      },
    ]);
    clock.advance(30_000);
    expect(log).toEqual(['single put off', 'other put off']);
    clock.advance(300_000);
    expect(log, 'addresses of lists wait on').toHaveLength(2);
  });

  it('opens one connection and puts the jobs of a turn into one transaction', async () => {
    const { pool, sessions, log, add, open } = openPool();
    await add(3);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.target).toEqual({
      host: 'mx',
      ips: ['192.0.2.1', '192.0.2.2'],
      encryption: 'offered',
      pipelining: 'unproved',
      patience: 'usual',
    });
    const session = await open();
    expect(session.transactions).toEqual([['u1', 'u2', 'u3']]);
    session.answer('250 OK', '550 5.1.1 no such user', '252 maybe');
    expect(log).toEqual(['u1 250', 'u2 no_such_mailbox', 'u3 host_will_not_say']);
    expect(pool.hasWork()).toBe(false);
    expect(pool.connectionCount).toBe(1);
  });

  it('ignores jobs of cancelled clients', async () => {
    const { pool, sessions } = openPool();
    pool.add(buildJob('x', new RecordingClient({ isCancelled: true })));
    await turn();
    expect(sessions).toEqual([]);
  });

  it('asks a control only on its connection, after a short pause, and not when that connection is gone', async () => {
    const { clock, pool, log, situation, domain, client, add, open, end } = openPool();
    const control = (session: FakeSession) => buildControl(session, client, domain);
    await add(2);
    const session = await open();
    session.answer('250 OK', '450 4.7.0 slow down');
    situation.mayRest = false;
    pool.add(control(session));
    await turn();
    expect(session).toMatchObject({ state: 'open', transactions: [['u1', 'u2']] });
    clock.advance(500);
    expect(session.transactions[1]).toEqual(['known']);
    await end(session, { kind: 'lost' });
    pool.add(control(session));
    expect(log.filter((line) => line.startsWith('known'))).toEqual(
      Array(2).fill('known failed: connection_lost'),
    );
  });

  it('reports when all recipients of a transaction have an answer, and when a connection is gone', async () => {
    const { events, situation, add, open, end } = openPool();
    await add(2);
    const session = await open();
    session.answer('250 OK');
    expect(events).toEqual([]);
    expect(situation.reads).toBe(1);
    session.answer('550 5.1.1 no such user');
    expect(events).toEqual(['transaction of example.com over']);
    await end(session, { kind: 'lost' });
    expect(events.slice(1)).toEqual(['connection gone', 'room for neighbours']);
    expect(situation.reads).toBe(3);
  });

  it.each([
    ['goes on with the transaction at hand', unpipelined, ['250 OK', '250 OK'], 1],
    ['not if the host took only one recipient', unpipelined, ['250 OK', '550 5.1.1 no such user'], 2],
    ['not with PIPELINING, where it saves nothing', {}, ['250 OK', '250 OK'], 2],
  ])('for the same domain %s', async (_, features, replies, count) => {
    const { add, open } = openPool();
    await add(2);
    const session = await open(features);
    session.answer(...replies);
    await add(1, 'v');
    expect(session.transactions).toHaveLength(count);
    expect(session.transactions.flat()).toEqual(['u1', 'u2', 'v1']);
  });

  it.each([
    ['another domain', new MailDomain('example.org'), false],
    ['a name that needs SMTPUTF8', undefined, true],
  ])('begins a new transaction for %s', async (_, other, needsUtf8) => {
    const { pool, client, domain, add, open } = openPool();
    await add(2);
    const session = await open({ ...unpipelined, hasSmtpUtf8: true });
    session.answer(...ok(2));
    pool.add(buildJob('v1', client, other ?? domain, { needsUtf8 }));
    await turn();
    expect(session.transactions).toEqual([['u1', 'u2'], ['v1']]);
  });

  it('begins a new transaction when the one at hand would become too long', async () => {
    const { add, open } = openPool({ limits: { recipientsPerTransaction: 4 } });
    await add(2);
    const session = await open(unpipelined);
    session.answer(...ok(2));
    await add(1, 'v');
    session.answer('250 OK');
    await add(2, 'w');
    expect(session.transactions).toEqual([
      ['u1', 'u2', 'v1'],
      ['w1', 'w2'],
    ]);
  });

  it('tells each job when its transaction was asked and how long it is, with what it continues', async () => {
    const { clock, pool, client, domain, add, open } = openPool();
    await add(2);
    const session = await open(unpipelined);
    session.answer(...ok(2));
    clock.advance(100);
    const jobs = ['v1', 'v2'].map((name) => buildJob(name, client, domain));
    for (const job of jobs) pool.add(job);
    await turn();
    const transaction = { askedAt: clock.now(), size: 4, openCount: 2 };
    expect(jobs.map((job) => job.transaction)).toEqual([transaction, transaction]);
  });

  it('without PIPELINING lets a connection stay with its domain while another serves the other one', async () => {
    const { pool, sessions, client, add } = openPool({
      limits: { recipientsPerTransaction: 2, connectionsPerHost: 2 },
    });
    const other = new MailDomain('example.org');
    await add(8);
    for (let index = 1; index <= 8; index++) pool.add(buildJob(`o${index}`, client, other));
    await turn();
    sessions[0]?.ready(unpipelined);
    await turn();
    sessions[1]?.ready(unpipelined);
    await turn();
    // The second one is free first, when it would be the turn of the other domain.
    for (let round = 0; round < 3; round++)
      for (const session of sessions.toReversed()) session.answer(...ok(2));
    const domains = sessions.map(
      ({ transactions }) => new Set(transactions.flat().map(([letter]) => letter)),
    );
    expect(domains).toEqual([new Set('u'), new Set('o')]);
  });

  it('begins a new transaction for a control that the host puts off to one', async () => {
    const { pool, domain, client, add, open } = openPool();
    await add(2);
    const session = await open(unpipelined);
    session.answer('250 OK', '250 OK');
    pool.add(buildControl(session, client, domain));
    session.answer('452 4.5.3 Too many recipients');
    await turn();
    expect(session.transactions).toEqual([['u1', 'u2', 'known'], ['known']]);
  });

  it('grows transactions from 50 to the limit', async () => {
    const { add, open } = openPool();
    await add(160);
    const session = await open();
    expect(session.transactions.map((transaction) => transaction.length)).toEqual([50]);
    session.answer(...ok(50));
    expect(session.transactions.map((transaction) => transaction.length)).toEqual([50, 100]);
  });

  it('opens one connection until the host has greeted us, then all that are worth it, to each address in turn', async () => {
    const { sessions, add } = openPool({ limits: { connectionsPerHost: 4 } });
    await add(1_000);
    expect(sessions).toHaveLength(1);
    sessions[0]?.greet();
    await turn();
    expect(sessions.map(({ firstIp }) => firstIp)).toEqual([0, 1, 0, 1]);
  });

  it('without PIPELINING gives every connection an equal part of the work', async () => {
    const { sessions, add } = openPool({ limits: { connectionsPerHost: 4 } });
    await add(172);
    sessions[0]?.ready(unpipelined);
    await turn();
    for (const session of sessions.slice(1)) session.ready(unpipelined);
    const sizes = () => sessions.map(({ transactions }) => transactions.map(({ length }) => length));
    expect(sizes()).toEqual([[10], [10], [10], [10]]);
    for (let time = 0; time < 10; time++) for (const session of sessions) session.answer('250 OK');
    expect(sizes()).toEqual([[44], [44], [44], [40]]);
  });

  it('gives names that need SMTPUTF8 back when the host does not offer it', async () => {
    const { pool, log, client, domain, open } = openPool();
    pool.add(buildJob('ü', client, domain, { needsUtf8: true }));
    await turn();
    await open({ hasSmtpUtf8: false });
    expect(log).toEqual(['ü unsupported']);
  });

  it('asks about them when it does', async () => {
    const { pool, client, domain, open } = openPool();
    pool.add(buildJob('ü', client, domain, { needsUtf8: true }));
    await turn();
    expect((await open({ hasSmtpUtf8: true })).transactions).toEqual([['ü']]);
  });

  it('has a place with the connections that its provider allows, if it says so', () => {
    const place = { host: '192.0.2.1', provider: 'Big Mail' };
    expect(openPool({ provider: { name: 'Big Mail' } }).pool.place).toEqual(place);
    expect(openPool({ provider: { name: 'Big Mail', connections: 3 } }).pool.place).toEqual({
      ...place,
      providerConnections: 3,
    });
  });

  it('says whether a connection has room for a control', async () => {
    const { pool, add, open } = openPool({ provider: { name: 'Big Mail', recipientsPerConnection: 3 } });
    await add(2);
    const session = await open();
    expect(pool.hasRoomForControl(session)).toBe(true);
    session.askedCount = 3;
    expect(pool.hasRoomForControl(session)).toBe(false);
  });

  it('is not forgettable while the host rests', async () => {
    const { clock, pool, situation, add, open, end } = openPool();
    situation.waits = false;
    await add(1);
    const session = await open();
    session.answer('450 4.7.0 slow down');
    await end(session, { kind: 'quit' });
    expect(pool.isForgettable).toBe(false);
    clock.advance(501);
    expect(pool.isForgettable).toBe(true);
  });

  it('is forgettable when nothing waits and nothing is connected', async () => {
    const { pool, add, open, end } = openPool();
    expect(pool.isForgettable).toBe(true);
    await add(1);
    expect(pool.isForgettable).toBe(false);
    const session = await open();
    session.answer('250 OK');
    expect(pool.isForgettable).toBe(false);
    await end(session, { kind: 'quit' });
    expect(pool.isForgettable).toBe(true);
  });
});

describe('idle connections', () => {
  it('quit after a while', async () => {
    const { clock, add, open } = openPool();
    await add(1);
    const session = await open();
    session.answer('250 OK');
    clock.advance(1_999);
    expect(session.state).toBe('open');
    clock.advance(1);
    expect(session.state).toBe('quitting');
  });

  it('stay when there is something to ask before', async () => {
    const { clock, add, open } = openPool();
    await add(1);
    const session = await open();
    session.answer('250 OK');
    clock.advance(1_500);
    await add(1, 'v');
    expect(session.transactions).toEqual([['u1'], ['v1']]);
    clock.advance(1_500);
    expect(session.state).toBe('open');
  });

  it('quit at once when they are not worth keeping', async () => {
    const { situation, add, open } = openPool();
    situation.mayRest = false;
    await add(1);
    const session = await open();
    session.answer('250 OK');
    expect(session.state).toBe('quitting');
  });

  it('quit on request, busy ones do not', async () => {
    const { pool, sessions, add, open } = openPool();
    await add(200);
    await open();
    await open();
    const [busy, other] = sessions as [FakeSession, FakeSession];
    other.answer(...ok(other.outstanding));
    pool.closeIdle();
    expect(busy.state).toBe('open');
  });

  it('leave after 200 recipients when another host waits for a connection', async () => {
    const { situation, add, open } = openPool({ limits: { connectionsPerHost: 1 } });
    await add(400);
    const session = await open();
    situation.isCrowded = true;
    while (session.outstanding > 0) session.answer(...ok(session.outstanding));
    expect(session.askedCount).toBeGreaterThanOrEqual(200);
    expect(session.askedCount).toBeLessThan(400);
    expect(session.state).toBe('quitting');
  });
});

describe('limits that a host shows', () => {
  it('too many recipients in a transaction: asks the rest in shorter ones', async () => {
    const { log, add, open } = openPool();
    await add(5);
    const session = await open();
    session.answer('250 OK', '250 OK', ...Array<string>(3).fill('452 4.5.3 Too many recipients'));
    expect(session.transactions.slice(1)).toEqual([['u3', 'u4'], ['u5']]);
    session.answer(...ok(3));
    expect(log).toEqual(['u1 250', 'u2 250', 'u3 250', 'u4 250', 'u5 250']);
  });

  it('too many wrong names on a connection: goes on with a new one', async () => {
    const { sessions, log, add, open, end } = openPool();
    await add(3);
    const session = await open();
    session.answer('550 5.1.1 no such user', '250 OK', '550 too many invalid recipients');
    expect(session.state).toBe('quitting');
    await end(session, { kind: 'quit' });
    expect(sessions).toHaveLength(2);
    const next = await open();
    expect(next.transactions).toEqual([['u3']]);
    next.answer('250 OK');
    expect(log).toEqual(['u1 no_such_mailbox', 'u2 250', 'u3 250']);
  });

  it('a wish to slow down: pauses, longer each time, and asks again', async () => {
    const { clock, log, heldOff, add, open } = openPool();
    await add(1);
    const session = await open();
    session.answer('421 4.7.0 too many errors');
    expect(log).toEqual(['waits until +500']);
    expect(heldOff).toEqual([500]);
    clock.advance(499);
    expect(session.transactions).toHaveLength(1);
    clock.advance(1);
    expect(session.transactions).toHaveLength(2);
    session.answer('450 4.7.0 slow down');
    expect(heldOff).toEqual([500, 1_000]);
    clock.advance(1_000);
    session.answer('450 4.7.0 slow down');
    expect(log.at(-1)).toBe('waits until +3500 again');
  });

  it('pauses as long as the host says', async () => {
    const { heldOff, add, open } = openPool();
    await add(1);
    (await open()).answer('450 4.7.0 slow down, wait 7 seconds');
    expect(heldOff).toEqual([7_000]);
  });

  it('pauses longer each time when the host says to come back at once, and gives up after 12 attempts', async () => {
    const { clock, log, heldOff, add, open } = openPool({ limits: { idleMs: 600_000 } });
    await add(1);
    const session = await open();
    for (let attempt = 1; attempt <= 12; attempt++) {
      session.answer('450 4.7.0 slow down, retry in 0 seconds');
      clock.advance(heldOff.at(-1) ?? 0);
    }
    expect(heldOff.slice(0, 3)).toEqual([500, 1_000, 2_000]);
    expect(session.transactions).toHaveLength(12);
    expect(log.at(-1)).toBe('u1 held off for 0: throttled at rcpt');
  });

  it('gives jobs back that do not wait for the end of the pause', async () => {
    const { situation, log, add, open } = openPool();
    situation.waits = false;
    await add(1);
    (await open()).answer('450 4.7.0 slow down');
    expect(log).toEqual(['waits until +500', 'u1 held off for 500: throttled at rcpt']);
  });

  it('a pause that another process was asked for counts as ours, and is not passed on', async () => {
    const { sessions, situation, log, heldOff, add } = openPool({ permit: async () => ({ restMs: 30_000 }) });
    situation.waits = false;
    await add(1);
    await turn();
    expect(sessions).toEqual([]);
    expect(log).toEqual(['waits until +30000', 'u1 held off for 30000: throttled at connect']);
    expect(heldOff).toEqual([]);
  });
});

describe('a refused sender', () => {
  it.each([
    ['is a failure of the host', 550, 'sender rejected', ['u1 failed: sender_refused']],
    ['is an answer when the host wants to be asked later', 451, 'local trouble', ['u1 temporary_failure']],
    ['is a pause when the host wants us to slow down', 450, '4.7.0 slow down', ['waits until +500']],
  ])('%s', async (_, code, text, expected) => {
    const { log, add, open } = openPool();
    await add(1);
    (await open()).refuseSender(code, text);
    expect(log).toEqual(expected);
  });
});

describe('a connection that does not come about', () => {
  it.each<[SessionEnding, string]>([
    [{ kind: 'refused' }, 'connection_refused'],
    [{ kind: 'connect_timeout' }, 'connection_timeout'],
    [{ kind: 'protocol' }, 'protocol_error'],
    [{ kind: 'timeout', stage: 'greeting' }, 'reply_timeout'],
    [{ kind: 'reply', stage: 'greeting', code: 554, text: 'no' }, 'sender_refused'],
  ])('%o: the host is down for half a minute', async (ending, reason) => {
    const { clock, sessions, log, situation, add, end } = openPool();
    await add(1);
    await end(sessions[0] as FakeSession, ending);
    expect(log).toEqual([`u1 failed: ${reason}`]);
    expect(situation.released).toBe(1);
    clock.advance(29_999);
    await add(1, 'v');
    expect(log.at(-1)).toBe(`v1 failed: ${reason}`);
    clock.advance(1);
    await add(1, 'w');
    expect(sessions).toHaveLength(2);
  });

  it('lost: tries once more before the host is down', async () => {
    const { sessions, log, add, end } = openPool();
    await add(1);
    await end(sessions[0] as FakeSession, { kind: 'lost' });
    expect(log).toEqual([]);
    expect(sessions).toHaveLength(2);
    await end(sessions[1] as FakeSession, { kind: 'lost' });
    expect(log).toEqual(['u1 failed: connection_lost']);
  });

  it('a busy greeting is a pause', async () => {
    const { sessions, log, add, end } = openPool();
    await add(1);
    await end(sessions[0] as FakeSession, { kind: 'reply', stage: 'greeting', code: 421, text: 'too many' });
    expect(log).toEqual(['waits until +500']);
  });

  it('failed encryption: tries without, and then the host is down', async () => {
    const { sessions, log, add, end } = openPool();
    await add(1);
    await end(sessions[0] as FakeSession, { kind: 'tls' });
    expect(sessions[1]?.target.encryption).toBe('never');
    await end(sessions[1] as FakeSession, { kind: 'tls' });
    expect(log).toEqual(['u1 failed: tls_failed']);
  });

  it('beside others that work: opens no more for a minute', async () => {
    const { clock, sessions, log, add, open, end } = openPool();
    await add(200);
    await open();
    expect(sessions).toHaveLength(2);
    await end(sessions[1] as FakeSession, { kind: 'refused' });
    expect(log).toEqual([]);
    expect(sessions).toHaveLength(2);
    clock.advance(60_000);
    await add(1, 'v');
    expect(sessions).toHaveLength(3);
  });
});

describe('a conversation that ends', () => {
  it('with a demand for encryption is held again with it', async () => {
    const { sessions, add, open, end } = openPool();
    await add(1);
    await end(await open(), { kind: 'tls_demanded' });
    expect(sessions[1]?.target.encryption).toBe('always');
    expect((await open()).transactions).toEqual([['u1']]);
  });

  it('after some answers goes on with one less on the next connection, which leaves room for a control', async () => {
    const { log, add, open, end } = openPool();
    await add(5);
    const session = await open();
    session.answer('250 OK', '250 OK', '250 OK');
    await end(session, { kind: 'reply', stage: 'rcpt', code: 421, text: 'enough' });
    const next = await open();
    expect(next.transactions).toEqual([['u4', 'u5']]);
    next.answer('250 OK', '250 OK');
    expect(log).toEqual(['u1 250', 'u2 250', 'u3 250', 'u4 250', 'u5 250']);
    expect(next.state).toBe('open');
    await add(1, 'v');
    expect(next.state).toBe('quitting');
  });

  it('without any answer sends one command at a time, and gives up the question that ends it twice', async () => {
    const { log, add, open, end } = openPool();
    await add(2);
    await end(await open(), { kind: 'lost' });
    const second = await open(unpipelined);
    expect(second.target.pipelining).toBe('broken');
    await end(second, { kind: 'lost' });
    expect(log).toEqual([]);
    const third = await open(unpipelined);
    expect(third.transactions).toEqual([['u2', 'u1']]);
    third.answer('250 OK');
    await end(third, { kind: 'lost' });
    expect(log).toEqual(['u2 250', 'u1 failed: connection_lost']);
  });

  it.each(['timeout', 'protocol'] as const)(
    'with %s at the first transaction asks the same again, one command at a time',
    async (kind) => {
      const { log, add, open, end } = openPool();
      await add(1);
      await end(await open(), { kind, stage: 'rcpt' } as SessionEnding);
      const second = await open(unpipelined);
      expect(second.target.pipelining).toBe('broken');
      second.answer('250 OK');
      expect(log).toEqual(['u1 250']);
    },
  );

  it('in silence gives up a lone question at once when pipelining has worked before', async () => {
    const { log, add, open, end, sessions } = openPool();
    await add(1);
    const first = await open();
    first.answer('250 OK');
    first.quit();
    await end(first, { kind: 'quit' });
    await add(1, 'w');
    await end(await open(), { kind: 'timeout', stage: 'rcpt' });
    expect(sessions[1]?.target.pipelining).toBe('proved');
    expect(log).toEqual(['u1 250', 'w1 failed: reply_timeout']);
  });

  it('pipelines again ten minutes after one of several questions made the host fall silent', async () => {
    const { clock, add, open, end } = openPool();
    await add(1);
    const first = await open();
    first.answer('250 OK');
    await add(2, 'w');
    await end(first, { kind: 'timeout', stage: 'rcpt' });
    const second = await open(unpipelined);
    expect(second.target.pipelining).toBe('broken');
    second.answer('250 OK', '250 OK');
    second.quit();
    await end(second, { kind: 'quit' });
    clock.advance(600_000);
    await add(1, 'x');
    expect((await open()).target.pipelining).toBe('proved');
  });

  it('three times without any answer: the host is down', async () => {
    const { log, add, open, end } = openPool({ limits: { connectionsPerHost: 1 } });
    await add(3);
    for (let time = 1; time <= 3; time++) await end(await open(unpipelined), { kind: 'lost' });
    expect(log.toSorted()).toEqual([1, 2, 3].map((index) => `u${index} failed: connection_lost`));
  });

  it('with a refusal of us: the host is down', async () => {
    const { log, add, open, end } = openPool();
    await add(2);
    await end(await open(), { kind: 'reply', stage: 'rcpt', code: 421, text: 'blocked using spamhaus' });
    expect(log).toEqual(['u1 failed: blocked', 'u2 failed: blocked']);
  });

  it('just as we spoke on an idle connection asks again', async () => {
    const { log, add, open, end } = openPool();
    await add(1);
    const session = await open();
    session.answer('250 OK');
    await add(1, 'v');
    await end(session, { kind: 'lost' });
    expect((await open()).transactions).toEqual([['v1']]);
    expect(log).toEqual(['u1 250']);
  });

  it('leaves cancelled jobs alone', async () => {
    const { sessions, log, client, add, open, end } = openPool();
    await add(1);
    const session = await open();
    client.isCancelled = true;
    await end(session, { kind: 'lost' });
    expect(log).toEqual([]);
    expect(sessions).toHaveLength(1);
  });
});

describe('cancelling and closing', () => {
  it('drops cancelled jobs and the connections that serve only them', async () => {
    const { pool, sessions, client, add, open } = openPool();
    await add(2);
    await open();
    client.isCancelled = true;
    pool.dropCancelled();
    expect(sessions[0]?.state).toBe('over');
    expect(pool.hasWork()).toBe(false);
  });

  it('keeps a connection that serves others too', async () => {
    const { pool, sessions, client, domain, add, open } = openPool();
    pool.add(buildJob('other', new RecordingClient(), domain));
    await add(1);
    await open();
    client.isCancelled = true;
    pool.dropCancelled();
    expect(sessions[0]?.state).toBe('open');
  });

  it.each([
    ['gives up the requests for permits when nothing is left to ask', false, true],
    ['keeps them when others wait', true, false],
  ])('%s', async (_, othersWait, isAborted) => {
    let signal: AbortSignal | undefined;
    const acquire: HostPermits['acquire'] = (_place, given) => {
      signal = given;
      return new Promise(() => {});
    };
    const { pool, client, add } = openPool({ permit: acquire as () => Promise<HostPermit> });
    await add(1);
    if (othersWait) pool.add(buildJob('other', new RecordingClient()));
    client.isCancelled = true;
    pool.dropCancelled();
    expect(signal?.aborted).toBe(isAborted);
    expect(pool.hasWork()).toBe(othersWait);
  });

  it('asks no control for a cancelled client', async () => {
    const { clock, pool, client, domain, add, open } = openPool();
    await add(1);
    const session = await open();
    session.answer('450 4.7.0 slow down');
    pool.add(buildControl(session, client, domain));
    expect(pool.isForgettable).toBe(false);
    client.isCancelled = true;
    pool.dropCancelled();
    clock.advance(500);
    expect(session.transactions).toEqual([['u1']]);
  });

  it('close quits politely where nothing is under way', async () => {
    const { pool, sessions, add, open } = openPool();
    await add(1);
    const session = await open();
    session.answer('250 OK');
    pool.close();
    expect(sessions.map(({ state }) => state)).toEqual(['quitting']);
  });

  it('abort drops every connection and the queue', async () => {
    const { pool, sessions, log, add, open } = openPool();
    await add(1);
    await open();
    await add(1, 'v');
    pool.abort();
    await turn();
    expect(sessions.map(({ state }) => state)).toEqual(['over']);
    expect(log).toEqual([]);
    expect(pool.hasWork()).toBe(false);
  });

  it('gives a permit back that comes when there is nothing left to ask', async () => {
    const late = Promise.withResolvers<HostPermit>();
    let released = 0;
    const { pool, sessions, add } = openPool({ permit: () => late.promise });
    await add(1);
    pool.abort();
    late.resolve({
      release: () => {
        released += 1;
      },
    });
    await turn();
    expect(sessions).toEqual([]);
    expect(released).toBe(1);
  });

  it('tells its neighbours when permits are short, and when no longer', async () => {
    const late = Promise.withResolvers<HostPermit>();
    let onShort = () => {};
    const permit: HostPermits['acquire'] = (_place, _signal, whenShort) => {
      onShort = whenShort;
      return late.promise;
    };
    const { situation, add } = openPool({ permit: permit as () => Promise<HostPermit> });
    await add(1);
    onShort();
    await turn();
    expect(situation.short).toEqual([true]);
    late.resolve({ release: () => {} });
    await turn();
    expect(situation.short).toEqual([true, false]);
  });
});
