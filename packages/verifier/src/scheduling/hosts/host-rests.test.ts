import { describe, expect, it } from 'vitest';
import type { FakeSession } from '../../testing/fake-session.ts';
import { buildJob, RecordingClient } from '../../testing/jobs.ts';
import { openPool, turn } from '../../testing/open-pool.ts';
import type { HostPause } from './pool-services.ts';
import type { Provider } from './providers.ts';

const slowDown = '450 4.7.0 slow down';
const hourMs = 3_600_000;

const pauseUntil = (until: number): HostPause => ({
  until,
  found: { meaning: 'slow_down', reason: 'throttled', rule: 'test' },
  stage: { stage: 'connect', host: 'mx' },
});

describe('while a host rests', () => {
  it('a new job that does not wait comes back with the time that is left', async () => {
    const { clock, log, situation, sessions, add, open } = openPool();
    await add(1);
    (await open()).answer(slowDown);
    clock.advance(200);
    situation.waits = false;
    await add(1, 'v');
    expect(log.slice(1)).toEqual(['waits until +500', 'v1 held off for 300: throttled at rcpt']);
    clock.advance(300);
    expect(sessions[0]?.transactions).toEqual([['u1'], ['u1']]);
  });

  it('a new job that waits is asked at the end of the rest', async () => {
    const { clock, log, add, open } = openPool();
    await add(1);
    const session = await open();
    session.answer(slowDown);
    await add(1, 'v');
    expect(session.transactions).toHaveLength(1);
    clock.advance(500);
    expect(session.transactions[1]).toEqual(['u1', 'v1']);
    expect(log).toEqual(['waits until +500', 'waits until +500']);
  });

  it('the same wish of another connection starts no second rest', async () => {
    const { heldOff, sessions, add, open } = openPool();
    await add(200);
    await open();
    await open();
    const [first, second] = sessions as [FakeSession, FakeSession];
    first.answer(slowDown);
    second.answer(slowDown);
    expect(heldOff).toEqual([500]);
  });

  it.each([
    ['by up to a second is the same rest', 1_000, 5_000],
    ['is a new one', 1_001, 6_001],
  ])('a rest that is longer %s', async (_, longerMs, restMs) => {
    const { clock, pool, sessions, add } = openPool();
    const start = clock.now();
    pool.rest(pauseUntil(start + 5_000));
    pool.rest(pauseUntil(start + 5_000 + longerMs));
    await add(1);
    clock.advance(restMs - 1);
    await turn();
    expect(sessions).toEqual([]);
    clock.advance(1);
    await turn();
    expect(sessions).toHaveLength(1);
  });

  it('a rest that ends earlier changes nothing', async () => {
    const { clock, pool, sessions, add } = openPool();
    pool.rest(pauseUntil(clock.now() + 5_000));
    pool.rest(pauseUntil(clock.now() + 100));
    await add(1);
    clock.advance(4_999);
    await turn();
    expect(sessions).toEqual([]);
  });
});

describe('when the rest is over', () => {
  it('a new job is asked at once', async () => {
    const { clock, log, situation, add, open } = openPool();
    await add(1);
    const session = await open();
    session.answer(slowDown);
    clock.advance(500);
    session.answer('250 OK');
    situation.waits = false;
    await add(1, 'v');
    expect(session.transactions).toEqual([['u1'], ['u1'], ['v1']]);
    expect(log.filter((line) => line.startsWith('v1'))).toEqual([]);
  });

  it('a report of it comes too late to count as one more', async () => {
    const { clock, pool, heldOff, add, open } = openPool();
    pool.rest(pauseUntil(clock.now()));
    pool.rest(pauseUntil(clock.now() - 1));
    await add(1);
    (await open()).answer(slowDown);
    expect(heldOff).toEqual([500]);
  });
});

it('the third rest in a row counts as an attempt for the jobs that leave, the first ones do not', () => {
  const { clock, pool, situation, domain } = openPool();
  const restWith = (name: string) => {
    const job = buildJob(name, new RecordingClient(), domain);
    situation.waits = true;
    pool.add(job);
    situation.waits = false;
    pool.rest(pauseUntil(clock.now() + 100));
    clock.advance(100);
    return job.deferralCount;
  };
  expect([restWith('u1'), restWith('u2'), restWith('u3')]).toEqual([0, 0, 1]);
});

it('the evidence says for how long another process was asked to leave the host alone', async () => {
  const { situation, stages, add } = openPool({ permit: async () => ({ restMs: 29_001 }) });
  situation.waits = false;
  await add(1);
  await turn();
  const note = 'asked to be left alone for 30 s';
  expect(stages).toEqual([{ stage: 'connect', host: 'mx', note, rule: 'told-elsewhere' }]);
});

describe('a reply for which the provider has a rest', () => {
  const provider: Provider = {
    name: 'Big Mail',
    restAfter: (reply) =>
      reply.includes('see policy 17')
        ? { forMs: hourMs, limit: 'Big Mail rests 60 min after "see policy 17"' }
        : undefined,
  };
  const quote = { limit: 'Big Mail rests 60 min after "see policy 17"', host: 'mx' };

  it.each<[string, (session: FakeSession) => void, string]>([
    ['RCPT', (session) => session.answer('450 4.7.0 slow down, see policy 17'), 'rcpt'],
    ['MAIL', (session) => session.refuseSender(450, '4.7.0 slow down, see policy 17'), 'sender'],
  ])('to %s: leaves all hosts of the provider alone, and the job comes back', async (_, reply, stage) => {
    const { situation, log, stages, heldOff, add, open } = openPool({ provider });
    situation.waits = false;
    await add(1);
    reply(await open());
    expect(heldOff).toEqual([-hourMs]);
    expect(log).toEqual([`waits until +${hourMs}`, `u1 held off for ${hourMs}: throttled at ${stage}`]);
    expect(stages).toMatchObject([{ ...quote, stage }]);
  });

  it('at the end of a conversation: the questions without an answer come back', async () => {
    const { situation, log, heldOff, add, open, end } = openPool({ provider });
    situation.waits = false;
    await add(1);
    const text = '4.7.0 slow down, see policy 17';
    await end(await open(), { kind: 'reply', stage: 'rcpt', code: 421, text });
    expect(heldOff[0]).toBe(-hourMs);
    expect(log.at(-1)).toMatch(`u1 held off for ${hourMs}`);
  });

  it('starts no rest if the words are those of the mailbox', async () => {
    const { pool, heldOff, client, domain, open } = openPool({ provider });
    pool.add(buildJob('"see policy 17"@example.com', client, domain));
    await turn();
    (await open()).answer('451 4.3.0 <see policy 17@example.com> local error');
    expect(heldOff).toEqual([]);
  });

  it('is quoted as evidence even for a client that wants none', async () => {
    const { pool, situation, stages, domain, open } = openPool({ provider });
    situation.waits = false;
    pool.add(buildJob('u1', new RecordingClient({ wantsEvidence: false }), domain));
    await turn();
    (await open()).answer('451 4.3.0 local error, see policy 17');
    expect(stages).toMatchObject([{ ...quote, reply: '451 4.3.0 local error, see policy 17' }]);
  });

  it('starts no rest when it refuses a mailbox', async () => {
    const { log, heldOff, add, open } = openPool({ provider });
    await add(1);
    (await open()).answer('550 5.1.1 no such user, see policy 17');
    expect(log).toEqual(['u1 no_such_mailbox']);
    expect(heldOff).toEqual([]);
  });

  it('is an ordinary one in other words', async () => {
    const { log, heldOff, add, open } = openPool({ provider });
    await add(1);
    (await open()).answer(slowDown);
    expect(heldOff).toEqual([500]);
    expect(log).toEqual(['waits until +500']);
  });
});
