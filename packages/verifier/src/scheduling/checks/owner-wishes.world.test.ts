import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../clock.ts';
import { createMemoryWishes } from '../../conduct/owner-doors.ts';
import { QuestionBill } from '../../conduct/question-bill.ts';
import { collect, openWorld, tally, users } from '../../testing/world.ts';

/** The time of the machine, which a test can set ahead. Timers go by the machine. */
function openClock(): Clock & { skip(ms: number): void } {
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    wallNow: () => systemClock.wallNow() + ahead,
    after: (delayMs, task) => systemClock.after(delayMs, task),
    skip: (ms) => {
      ahead += ms;
    },
  };
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

async function open(zone: string) {
  const clock = openClock();
  const { world, newVerifier } = await openWorld({ zone });
  return { clock, world, verifier: newVerifier({ clock }), newVerifier };
}

describe('the owner of a domain', () => {
  it('who says never is not asked, and the answer says why', async () => {
    const { world, verifier } = await open(
      'domain a.test accepts jane; owner "v=assay1; never"\ndomain b.a.test accepts jane',
    );

    expect(await verifier.verify('jane@a.test')).toMatchObject({
      result: 'UNKNOWN',
      reason: 'owner_declined',
      evidence: [{ stage: 'dns' }, { stage: 'dns', note: '_assay.a.test says: never', rule: 'owner' }],
    });
    expect(world.conduct.host('mx.a.test').connectionsTotal).toBe(0);
    expect(await verifier.verify('jane@b.a.test')).toMatchObject({ reason: 'mailbox_accepted' });
  });

  it('who allows some questions a day gets no more, ours included, until the next day', async () => {
    const { clock, world, verifier } = await open(
      'domain a.test accepts user*; owner "v=assay1; limit=30/day"',
    );

    const found = tally(await collect(verifier.verifyAll(users(100, 'a.test'))));

    expect(world.conduct.host('mx.a.test').recipients).toBe(30);
    expect(found['UNKNOWN owner_declined']).toBeGreaterThanOrEqual(70);
    clock.skip(dayMs);
    expect(await verifier.verify('user1@a.test')).toMatchObject({ reason: 'mailbox_accepted' });
  });

  it('is heard by all who share the count', async () => {
    const { clock, world, newVerifier } = await open(
      'domain a.test accepts user*; owner "v=assay1; limit=20/day"',
    );
    const wishes = createMemoryWishes(clock);
    const verifiers = [1, 2, 3].map(() => newVerifier({ clock, wishes }));

    await Promise.all(verifiers.map((verifier) => collect(verifier.verifyAll(users(30, 'a.test')))));

    expect(world.conduct.host('mx.a.test').recipients).toBe(20);
  });

  it('who asks for counts is counted, and only then', async () => {
    const { clock, world, newVerifier } = await open(
      `domain a.test accepts user*; owner "v=assay1; count=${'0a'.repeat(16)}"\ndomain b.test accepts user*`,
    );
    const asked: Record<string, number> = {};
    const wishes = {
      ...createMemoryWishes(clock),
      addAsked(domain: string, count: number) {
        asked[domain] = (asked[domain] ?? 0) + count;
      },
    };
    const verifier = newVerifier({ clock, wishes });

    await collect(verifier.verifyAll([...users(40, 'a.test'), ...users(40, 'b.test')]));

    expect(asked).toEqual({ 'a.test': world.conduct.host('mx.a.test').recipients });
    expect(asked['a.test']).toBeGreaterThanOrEqual(40);
  });

  it('who says never later is heard a minute later, and when it is taken back', async () => {
    const { clock, world, verifier } = await open('domain a.test accepts jane joe; ttl 1s');
    const asked = () => world.conduct.host('mx.a.test').recipients;
    await verifier.verify('jane@a.test');
    world.publishOwnerRecords('a.test', ['v=assay1; never']);
    clock.skip(minuteMs);
    const before = asked();

    expect(await verifier.verify('joe@a.test')).toMatchObject({ reason: 'owner_declined' });
    expect(asked()).toBe(before);

    world.publishOwnerRecords('a.test', []);
    clock.skip(minuteMs);
    expect(await verifier.verify('joe@a.test')).toMatchObject({ reason: 'mailbox_accepted' });
  });

  it('who says never while a list runs is asked nothing more after a minute', async () => {
    const { clock, world, newVerifier } = await open('domain a.test accepts user*; ttl 1s');
    const limits = { connectionsPerHost: 1, recipientsPerTransaction: 5 };
    const verifier = newVerifier({ clock, limits });
    const findings = verifier.verifyAll(users(400, 'a.test'), { inFlightMax: 40 });
    const found = [];
    let askedBefore = 0;
    for await (const finding of findings) {
      found.push(finding);
      if (found.length !== 20) continue;
      world.publishOwnerRecords('a.test', ['v=assay1; never']);
      clock.skip(minuteMs);
      askedBefore = world.conduct.host('mx.a.test').recipients;
    }

    expect(found).toHaveLength(400);
    expect(tally(found)['UNKNOWN owner_declined']).toBeGreaterThan(300);
    // What was on its way when the time was over.
    expect(world.conduct.host('mx.a.test').recipients - askedBefore).toBeLessThanOrEqual(10);
  });

  it('who says never is asked nothing more by a host that takes one question at a time, in the middle of a transaction', async () => {
    const { clock, world, newVerifier } = await open(
      'domain a.test accepts user*; ttl 1s; lacks PIPELINING; at rcpt wait 5ms',
    );
    const bill = new QuestionBill();
    const verifier = newVerifier({ clock, limits: { connectionsPerHost: 1 } });
    const found = [];
    let askedBefore = 0;
    for await (const finding of verifier.verifyAll(users(400, 'a.test'), { bill })) {
      found.push(finding);
      if (found.length !== 60) continue;
      world.publishOwnerRecords('a.test', ['v=assay1; never']);
      clock.skip(minuteMs);
      askedBefore = world.conduct.host('mx.a.test').recipients;
    }

    const asked = world.conduct.host('mx.a.test').recipients;
    expect(asked - askedBefore).toBeLessThanOrEqual(1);
    expect(found).toHaveLength(400);
    expect(bill.take().get('a.test')?.questions).toBe(asked);
  });

  it.each(['servfail', 'timeout'] as const)(
    'whose name servers fail with %s keeps the last answer',
    async (fault) => {
      const { clock, world, verifier } = await open(
        'domain a.test accepts jane; owner "v=assay1; never"; ttl 1s',
      );
      await verifier.verify('jane@a.test');
      world.publishOwnerRecords('a.test', fault);
      clock.skip(minuteMs);

      expect(await verifier.verify('jane@a.test')).toMatchObject({ reason: 'owner_declined' });
      expect(world.conduct.total.recipients).toBe(0);
    },
  );

  it('whose name servers never answered for the record is asked as usual', async () => {
    const { world, verifier } = await open('domain a.test accepts jane');
    world.publishOwnerRecords('a.test', 'servfail');
    expect(await verifier.verify('jane@a.test')).toMatchObject({ reason: 'mailbox_accepted' });
  });
});

describe('a host that asks us to stop', () => {
  const zone =
    'domain a.test at rcpt say "550 5.7.1 Please stop probing <{rcpt}>"\ndomain b.test accepts jane';

  it('is left alone for 30 days, for this domain, with its words as evidence', async () => {
    const { clock, world, verifier } = await open(zone);
    await verifier.verify('jane@a.test');
    const asked = world.conduct.host('mx.a.test').recipients;

    const next = await verifier.verify('joe@a.test');

    expect(next).toMatchObject({ result: 'UNKNOWN', reason: 'owner_declined' });
    expect(next.evidence.at(-1)?.note).toMatch(
      /^mx\.a\.test asked us to stop, so we leave a\.test alone until .*stop probing/,
    );
    expect(next.evidence.at(-1)?.note).not.toContain('jane@a.test');
    expect(await verifier.verify('jane@b.test')).toMatchObject({ reason: 'mailbox_accepted' });
    clock.skip(29 * dayMs);
    await verifier.verify('jim@a.test');
    expect(world.conduct.host('mx.a.test').recipients).toBe(asked);
    clock.skip(dayMs + minuteMs);
    await verifier.verify('jim@a.test');
    expect(world.conduct.host('mx.a.test').recipients).toBe(asked + 1);
  });
});
