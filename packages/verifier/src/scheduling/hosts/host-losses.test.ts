import { describe, expect, it } from 'vitest';
import type { SessionEnding } from '../../smtp/session-types.ts';
import type { FakeSession } from '../../testing/fake-session.ts';
import { buildControl, buildJob, RecordingClient } from '../../testing/jobs.ts';
import { ok, openPool, turn, unpipelined } from '../../testing/open-pool.ts';
import type { HostPermit } from './host-permits.ts';

describe('a host that hangs up on a control', () => {
  it.each<[string, number, SessionEnding, string[]]>([
    ['after three answers takes three on a connection', 3, { kind: 'lost' }, ['v1', 'v2']],
    [
      'with a reply, after three answers, takes three on a connection',
      3,
      { kind: 'reply', stage: 'rcpt', code: 421, text: 'enough' },
      ['v1', 'v2'],
    ],
    ['after one answer has shown no limit', 1, { kind: 'lost' }, ['v1', 'v2', 'v3', 'v4']],
    ['in silence has shown no limit', 3, { kind: 'timeout', stage: 'rcpt' }, ['v1', 'v2', 'v3', 'v4']],
  ])('%s', async (_, answeredCount, ending, expected) => {
    const { clock, pool, client, domain, add, open, end } = openPool();
    await add(answeredCount);
    const session = await open();
    session.answer(...ok(answeredCount));
    pool.add(buildControl(session, client, domain));
    await end(session, ending);
    clock.advance(500);
    await add(4, 'v');
    expect((await open()).transactions[0]).toEqual(expected);
  });

  it('of which others wait for an answer too has shown no limit', async () => {
    const { pool, client, domain, add, open, end } = openPool();
    await add(3);
    const session = await open();
    session.answer(...ok(3));
    pool.add(buildControl(session, client, domain));
    await add(60, 'v');
    expect(session.outstanding).toBe(61);
    await end(session, { kind: 'lost' });
    expect((await open()).transactions[0]).toHaveLength(60);
  });

  it('asks again what it left open on an idle connection, without a limit', async () => {
    const { add, open, end } = openPool();
    await add(3);
    const session = await open();
    session.answer(...ok(3));
    await add(4, 'v');
    await end(session, { kind: 'lost' });
    expect((await open()).transactions).toEqual([['v1', 'v2', 'v3', 'v4']]);
  });
});

describe('a conversation that ends', () => {
  it('with a wish to slow down before any answer: pauses and asks again', async () => {
    const { clock, log, heldOff, sessions, add, open, end } = openPool();
    await add(2);
    await end(await open(), { kind: 'reply', stage: 'rcpt', code: 421, text: '4.7.0 slow down' });
    expect(heldOff).toEqual([500]);
    expect(log.filter((line) => line.includes('failed'))).toEqual([]);
    expect(sessions).toHaveLength(1);
    clock.advance(500);
    await turn();
    expect((await open()).transactions).toEqual([['u1', 'u2']]);
  });

  it('in silence after some answers: gives up that question, and limits no connection', async () => {
    const { log, add, open, end } = openPool();
    await add(4);
    const session = await open(unpipelined);
    session.answer(...ok(3));
    await end(session, { kind: 'timeout', stage: 'rcpt' });
    expect(log.at(-1)).toBe('u4 failed: reply_timeout');
    await add(4, 'v');
    expect((await open(unpipelined)).transactions).toEqual([['v1', 'v2', 'v3', 'v4']]);
  });

  it('after some answers: the next connections take fewer, and the question is asked once more', async () => {
    const { log, add, open, end } = openPool();
    await add(5);
    const session = await open(unpipelined);
    session.answer(...ok(3));
    await end(session, { kind: 'lost' });
    const next = await open(unpipelined);
    expect(next.transactions).toEqual([['u5', 'u4']]);
    next.answer('250 OK');
    await end(next, { kind: 'lost' });
    expect(log.at(-1)).toBe('u4 failed: connection_lost');
  });

  it('before any answer: the next connection encrypts as before', async () => {
    const { sessions, add, open, end } = openPool();
    await add(1);
    await end(await open(), { kind: 'lost' });
    expect(sessions[1]?.target.encryption).toBe('offered');
  });

  it('over the question of a cancelled client: the next question is the suspect', async () => {
    const { pool, log, domain, add, open, end } = openPool();
    const cancelled = new RecordingClient();
    pool.add(buildJob('cancelled', cancelled, domain));
    await add(1);
    const session = await open(unpipelined);
    cancelled.isCancelled = true;
    await end(session, { kind: 'lost' });
    expect(log).toEqual([]);
    await end(await open(unpipelined), { kind: 'lost' });
    expect(log).toEqual(['u1 failed: connection_lost']);
  });

  it('with broken encryption: the host is down for all that wait', async () => {
    const { log, add, open, end } = openPool({
      limits: { recipientsPerTransaction: 1, connectionsPerHost: 1 },
    });
    await add(2);
    await end(await open(), { kind: 'tls' });
    expect(log.toSorted()).toEqual(['u1 failed: tls_failed', 'u2 failed: tls_failed']);
  });

  it('because the host demands the encryption that failed once: after its rest we encrypt again', async () => {
    const { clock, sessions, add, open, end } = openPool();
    await add(1);
    await end(sessions[0] as FakeSession, { kind: 'tls' });
    expect(sessions[1]?.target.encryption).toBe('never');
    await end(await open(), { kind: 'tls' });
    clock.advance(30_000);
    await add(1);
    expect(sessions[2]?.target.encryption).toBe('offered');
  });

  it('by ourselves means nothing for the host', async () => {
    const { log, sessions, add, open, end } = openPool();
    await add(1);
    await end(await open(), { kind: 'aborted' });
    expect(log).toEqual([]);
    expect(sessions).toHaveLength(1);
  });
});

describe('a connection that does not come about', () => {
  it('because our egress is away: puts the addresses off and does not blame the host', async () => {
    const { log, stages, sessions, add, open, end } = openPool();
    await add(2);
    await end(sessions[0] as FakeSession, { kind: 'egress_away' });
    expect(log).toEqual(['u1 put off', 'u2 put off']);
    expect(stages[0]).toMatchObject({ host: 'mx', note: 'our egress is away; the mail host was not asked' });
    await add(1, 'v');
    expect((await open()).transactions).toEqual([['v1']]);
  });

  it('because of its encryption, which the host demands: the host is down', async () => {
    const { log, sessions, add, open, end } = openPool();
    await add(1);
    await end(await open(), { kind: 'tls_demanded' });
    await end(sessions[1] as FakeSession, { kind: 'tls' });
    expect(log).toEqual(['u1 failed: tls_failed']);
  });

  it('beside others that work: opens no more before a minute is over', async () => {
    const { clock, sessions, add, open, end } = openPool();
    await add(200);
    await open();
    await end(sessions[1] as FakeSession, { kind: 'refused' });
    clock.advance(59_999);
    await add(1, 'v');
    expect(sessions).toHaveLength(2);
  });

  it('ends the waiting for permits of a host that is down', async () => {
    const signals: AbortSignal[] = [];
    const permit = (_place: unknown, signal: AbortSignal): Promise<HostPermit> => {
      signals.push(signal);
      return signals.length === 1 ? Promise.resolve({ release: () => {} }) : new Promise(() => {});
    };
    const { sessions, add, end } = openPool({ permit: permit as () => Promise<HostPermit> });
    await add(1_000);
    sessions[0]?.greet();
    expect(signals.length).toBeGreaterThan(1);
    await end(sessions[0] as FakeSession, { kind: 'refused' });
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });
});
