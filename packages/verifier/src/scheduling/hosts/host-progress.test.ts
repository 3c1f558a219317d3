import { describe, expect, it } from 'vitest';
import type { FakeSession } from '../../testing/fake-session.ts';
import { buildJob } from '../../testing/jobs.ts';
import { ok, openPool, turn, unpipelined } from '../../testing/open-pool.ts';

const failures = (log: readonly string[]) => log.filter((line) => line.includes('failed'));

describe('a host that keeps us without an answer for four minutes', () => {
  it('is given up by all that wait, whether they were asked or not', async () => {
    const { clock, log, stages, sessions, add, open } = openPool({
      limits: { recipientsPerTransaction: 1, connectionsPerHost: 1 },
    });
    await add(2);
    await open(unpipelined);
    clock.advance(239_999);
    expect(log).toEqual([]);
    clock.advance(1);
    expect(log.toSorted()).toEqual(['u1 failed: reply_timeout', 'u2 failed: reply_timeout']);
    expect(stages[0]).toMatchObject({ stage: 'rcpt', host: 'mx', note: 'no answer in time' });
    expect(sessions.map(({ state }) => state)).toEqual(['over']);
    expect(clock.timerCount).toBe(0);
    await add(1, 'v');
    expect(log.at(-1)).toBe('v1 failed: reply_timeout');
  });

  it('by endless greetings is given up too', async () => {
    const { clock, log, sessions, add } = openPool();
    await add(1);
    sessions[0]?.greet();
    clock.advance(240_000);
    expect(log).toEqual(['u1 failed: reply_timeout']);
  });

  it('over several connections is given up: a new connection does not start the time anew', async () => {
    const { clock, log, add, open, end } = openPool();
    await add(1);
    const farewell = { kind: 'reply', stage: 'rcpt', code: 421, text: '4.7.0 slow down' } as const;
    const first = await open(unpipelined);
    clock.advance(150_000);
    await end(first, farewell);
    clock.advance(500);
    await turn();
    await open(unpipelined);
    clock.advance(89_999);
    expect(failures(log)).toEqual([]);
    clock.advance(1);
    expect(failures(log)).toEqual(['u1 failed: reply_timeout']);
  });

  it('and answers only questions of our own meanwhile is given up', async () => {
    const { clock, log, pool, client, domain, add, open } = openPool();
    await add(1);
    const session = await open(unpipelined);
    session.answer('250 OK');
    clock.advance(1_000);
    pool.add(buildJob('proof', client, domain, { isProof: true }));
    pool.add(buildJob('second-proof', client, domain, { isProof: true }));
    await turn();
    clock.advance(200_000);
    session.answer('250 OK');
    expect(failures(log)).toEqual([]);
    clock.advance(40_000);
    expect(failures(log)).toEqual(['second-proof failed: reply_timeout']);
  });
});

describe('the time without an answer', () => {
  it('starts anew with each answer about an address', async () => {
    const { clock, log, add, open } = openPool();
    await add(3);
    const session = await open(unpipelined);
    for (let count = 0; count < 3; count++) {
      clock.advance(200_000);
      session.answer(...ok(1));
    }
    expect(failures(log)).toEqual([]);
  });

  it('starts anew with each prompt answer to a question of our own', async () => {
    const { clock, log, pool, client, domain, add, open } = openPool();
    await add(1);
    const session = await open(unpipelined);
    session.answer('250 OK');
    for (let count = 0; count < 12; count++)
      pool.add(buildJob(`proof${count}`, client, domain, { isProof: true }));
    await turn();
    for (let count = 0; count < 12; count++) {
      clock.advance(29_000);
      session.answer('250 OK');
      await turn();
    }
    expect(failures(log)).toEqual([]);
  });

  it('does not run while we wait for a permit', async () => {
    const granted = Promise.withResolvers<{ release(): void }>();
    const { clock, log, add, open } = openPool({ permit: () => granted.promise });
    await add(1);
    clock.advance(59_000);
    granted.resolve({ release: () => {} });
    await turn();
    const session = await open(unpipelined);
    session.answer('250 OK');
    expect(log).toEqual(['u1 250']);
  });

  it('that one address used up is not missing to the next', async () => {
    const { clock, log, sessions, add, open, end } = openPool();
    await add(1);
    const session = await open(unpipelined);
    clock.advance(200_000);
    await end(session, { kind: 'timeout', stage: 'rcpt' });
    expect(log).toEqual(['u1 failed: reply_timeout']);
    await add(1, 'v');
    (sessions.at(-1) as FakeSession).ready(unpipelined);
    await turn();
    clock.advance(200_000);
    sessions.at(-1)?.answer('250 OK');
    expect(log.at(-1)).toBe('v1 250');
  });
});
