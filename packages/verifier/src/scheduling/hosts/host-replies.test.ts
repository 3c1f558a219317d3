import { describe, expect, it } from 'vitest';
import type { FakeSession } from '../../testing/fake-session.ts';
import { buildControl, buildJob, RecordingClient } from '../../testing/jobs.ts';
import { ok, openPool, turn, unpipelined } from '../../testing/open-pool.ts';

const tooMany = '452 4.5.3 Too many recipients';
const tooManyWrong = '550 too many invalid recipients';
const slowDown = '450 4.7.0 slow down';

describe('after an answer about a mailbox', () => {
  it.each([
    ['accepted', '250 OK'],
    ['refused', '550 5.1.1 no such user'],
  ])('%s, the next pause is a short one again', async (_, reply) => {
    const { clock, heldOff, add, open } = openPool();
    await add(1);
    const session = await open();
    session.answer(slowDown);
    clock.advance(500);
    session.answer(reply);
    await add(1, 'v');
    session.answer(slowDown);
    expect(heldOff).toEqual([500, 500]);
  });
});

describe('the evidence of a refusal', () => {
  it.each([
    ['quotes the reply', true, { host: 'mx', reply: '550 5.1.1 no such user', rule: expect.any(String) }],
    ['is empty for a client that wants none', false, {}],
  ])('%s', async (_, wantsEvidence, expected) => {
    const { pool, stages, domain, open } = openPool();
    pool.add(buildJob('u1', new RecordingClient({ wantsEvidence }), domain));
    await turn();
    (await open()).answer('550 5.1.1 no such user');
    expect(stages).toHaveLength(1);
    expect(stages[0]).toMatchObject({ stage: 'rcpt', ...expected });
    expect('reply' in (stages[0] ?? {})).toBe(wantsEvidence);
  });

  it('quotes a wish to slow down for every client', async () => {
    const { pool, stages, situation, domain, open } = openPool();
    situation.waits = false;
    pool.add(buildJob('u1', new RecordingClient({ wantsEvidence: false }), domain));
    await turn();
    (await open()).answer(slowDown);
    expect(stages).toMatchObject([{ stage: 'rcpt', reply: slowDown }]);
  });
});

describe('too many recipients', () => {
  it('for the first of a transaction is a wish to slow down', async () => {
    const { heldOff, log, add, open } = openPool();
    await add(1);
    (await open()).answer(tooMany);
    expect(heldOff).toEqual([500]);
    expect(log).toEqual(['waits until +500']);
  });

  it('for the first of a later transaction ends the connection without a pause', async () => {
    const { heldOff, sessions, add, open, end } = openPool();
    await add(3);
    const session = await open();
    session.answer(...ok(3));
    await add(1, 'v');
    session.answer(tooMany);
    expect(session.state).toBe('quitting');
    expect(heldOff).toEqual([]);
    await end(session, { kind: 'quit' });
    expect(sessions).toHaveLength(2);
    expect((await open()).transactions).toEqual([['v1']]);
  });

  it('asks a control again on its own connection, though another is free', async () => {
    const { pool, sessions, client, domain, add } = openPool();
    await add(200);
    sessions[0]?.ready(unpipelined);
    await turn();
    sessions[1]?.ready(unpipelined);
    await turn();
    const [first, second] = sessions as [FakeSession, FakeSession];
    first.answer(...ok(first.outstanding));
    while (first.outstanding > 0) first.answer(...ok(first.outstanding));
    second.answer(...ok(second.outstanding - 1));
    pool.add(buildControl(second, client, domain));
    second.answer('250 OK', tooMany);
    await turn();
    expect(second.transactions.at(-1)).toEqual(['known']);
    expect(first.transactions.flat()).not.toContain('known');
  });

  it('asks a proof again in a transaction of its own', async () => {
    const { pool, client, domain, add, open } = openPool();
    await add(2);
    const session = await open(unpipelined);
    session.answer(...ok(2));
    pool.add(buildJob('proof', client, domain, { isProof: true }));
    await turn();
    expect(session.transactions).toEqual([['u1', 'u2', 'proof']]);
    session.answer(tooMany);
    await turn();
    expect(session.transactions.at(-1)).toEqual(['proof']);
  });
});

describe('too many wrong names', () => {
  it('limits the next connections to what this one took, less one for a control', async () => {
    const { add, open, end } = openPool();
    await add(8);
    const session = await open();
    session.answer(...ok(3), ...Array<string>(5).fill(tooManyWrong));
    await end(session, { kind: 'quit' });
    expect((await open()).transactions).toEqual([['u4', 'u5']]);
  });

  it('lets the connection answer the rest before it quits', async () => {
    const { log, add, open } = openPool();
    await add(3);
    const session = await open();
    session.answer('250 OK', tooManyWrong);
    expect(session.state).toBe('open');
    session.answer('250 OK');
    expect(session.state).toBe('quitting');
    expect(log).toEqual(['u1 250', 'u3 250']);
  });

  it('concerns only this connection: what it says after that starts no pause', async () => {
    const { heldOff, add, open } = openPool();
    await add(3);
    (await open()).answer('250 OK', tooManyWrong, slowDown);
    expect(heldOff).toEqual([]);
  });
});

describe('a wish to slow down', () => {
  it('halves the transactions, which grow again after answers: here to 50, not to 100', async () => {
    const { clock, add, open } = openPool();
    await add(160);
    const session = await open();
    session.answer(slowDown, ...ok(49));
    clock.advance(500);
    expect(session.transactions[1]).toHaveLength(50);
  });

  it('to a control repeats it on its connection twice, then gives up', async () => {
    const { clock, pool, log, client, domain, add, open } = openPool();
    await add(1);
    const session = await open();
    session.answer('250 OK');
    pool.add(buildControl(session, client, domain));
    for (const pauseMs of [500, 1_000]) {
      session.answer(slowDown);
      await turn();
      clock.advance(pauseMs);
    }
    expect(session.transactions).toEqual([['u1'], ['known'], ['known'], ['known']]);
    session.answer(slowDown);
    expect(log.filter((line) => line.startsWith('known'))).toEqual([
      'known held off for 0: throttled at rcpt',
    ]);
  });

  it('to a proof asks it again on any connection', async () => {
    const { clock, pool, sessions, client, domain, open, end } = openPool();
    pool.add(buildJob('proof', client, domain, { isProof: true }));
    await turn();
    const session = await open();
    session.answer(slowDown);
    await end(session, { kind: 'quit' });
    clock.advance(500);
    await turn();
    expect(sessions).toHaveLength(2);
    expect((await open()).transactions).toEqual([['proof']]);
  });
});

describe('a refused sender', () => {
  it('ends its transaction, with the reply to MAIL as evidence', async () => {
    const { events, stages, add, open } = openPool();
    await add(1);
    (await open()).refuseSender(550, 'sender rejected');
    expect(events).toEqual(['transaction of example.com over']);
    expect(stages).toMatchObject([{ stage: 'sender', reply: '550 sender rejected' }]);
  });
});
