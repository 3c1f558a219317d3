import { describe, expect, it } from 'vitest';
import { collect, openWorld, tally, users } from '../../testing/world.ts';

describe('hosts with limits of their own', () => {
  it('broken PIPELINING: asks again one command at a time, and on later connections from the start', async () => {
    const zone = 'domain broken.test accepts user*; broken-pipelining';
    const { world, newVerifier } = await openWorld({ zone });
    // The first silence lasts this long; all answers after it must come within the same time on a busy machine.
    const timeouts = { recipientMs: 3_000, commandMs: 30_000, greetingMs: 30_000 };
    const verifier = newVerifier({ timeouts });
    const addresses = [...users(5, 'broken.test'), 'nobody@broken.test'];
    expect(tally(await collect(verifier.verifyAll(addresses)))).toEqual({
      'VALID mailbox_accepted': 5,
      'INVALID no_such_mailbox': 1,
    });
    const before = world.conduct.total.connectionsTotal;
    await collect(verifier.verifyAll(users(5, 'broken.test')));
    expect(world.conduct.total.connectionsTotal - before).toBeLessThanOrEqual(1);
    expect(world.conduct.violations).toEqual([]);
  });

  it.each(['452 4.5.3 Too many recipients', '552 Too many recipients', '552 5.5.3 Too many recipients'])(
    '"%s" starts a new transaction',
    async (reply) => {
      const zone = `domain few.test accepts user*; limit recipients 4 per transaction say "${reply}"`;
      const { newVerifier } = await openWorld({ zone });
      const findings = await collect(newVerifier().verifyAll(users(30, 'few.test')));
      expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 30 });
    },
  );

  it.each([
    ['jane', 'catch_all_unproved'],
    ['nobody', 'refusal_unproved'],
  ])(
    'a host that wants a rest before our own question about %s: the address comes back later',
    async (name, reason) => {
      const limit = 'limit recipients 1 per 10m say "450 4.7.0 slow down, retry in 300 seconds"';
      const { newVerifier } = await openWorld({ zone: `domain shy.test accepts jane; ${limit}` });
      const finding = await newVerifier().verify(`${name}@shy.test`, { deferrals: 'return' });
      expect(finding).toMatchObject({ kind: 'try_again', reason, deferralCount: 1 });
      expect(finding.kind === 'try_again' && finding.afterMs).toBeGreaterThan(299_000);
    },
  );

  it.each([
    '452 Mailbox size limit exceeded',
    '452 4.2.2 Mailbox storage limit exceeded',
    '552 user is over the quota',
  ])('a full mailbox ("%s") does not slow its neighbours', async (reply) => {
    const zone = `domain full.test accepts user*; says "${reply}" max*`;
    const { world, newVerifier } = await openWorld({ zone });
    const full = Array.from({ length: 20 }, (_, index) => `max${index}@full.test`);
    const findings = await collect(newVerifier().verifyAll([...full, ...users(60, 'full.test')]));
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 60, 'UNKNOWN mailbox_full': 20 });
    // Nobody is asked about twice: the rest are probes.
    expect(world.conduct.total.recipients).toBeLessThan(100);
  });
});

describe('an address that comes back as a new job each time', () => {
  /** Asks again as a caller with its own queue does, and lists the waits in seconds. */
  async function askUntilVerdict(zone: string, address: string) {
    const { world, newVerifier } = await openWorld({ zone });
    const waits: number[] = [];
    for (let deferralCount = 0; ; ) {
      const finding = await newVerifier().verify(address, { deferrals: 'return', deferralCount });
      if (finding.kind === 'verdict') return { waits, finding, asked: world.conduct.total.recipients };
      waits.push(finding.afterMs / 1_000);
      deferralCount = finding.deferralCount;
    }
  }

  it.each([
    ['greylisted', '451 4.7.1 Greylisted, please try again later'],
    ['temporary_failure', '451 Local error in processing'],
  ])('%s: waits longer each time, and is UNKNOWN after twelve attempts', async (reason, reply) => {
    const { waits, finding, asked } = await askUntilVerdict(
      `domain later.test says "${reply}" jane`,
      'jane@later.test',
    );
    expect(waits).toEqual([5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 3_600]);
    expect(finding).toMatchObject({ result: 'UNKNOWN', reason });
    expect(asked).toBe(12);
  });

  it('a deferred proof adds no longer wait than its own to that of an address that was deferred before', async () => {
    const { waits, finding } = await askUntilVerdict(
      'domain later.test accepts jane; says "451 4.7.1 Greylisted, try again in 1 second" *',
      'jane@later.test',
    );
    expect(waits).toEqual([1.5, 1.5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600]);
    expect(finding).toMatchObject({ result: 'UNKNOWN', reason: 'catch_all_unproved' });
  });

  it('waits as long as the host says when that is longer', async () => {
    const reply = '451 4.7.1 Greylisted, please try again in 300 seconds';
    const { waits } = await askUntilVerdict(`domain later.test says "${reply}" jane`, 'jane@later.test');
    expect(waits.slice(0, 7)).toEqual([300.25, 300.25, 300.25, 300.25, 300.25, 300.25, 600]);
  });
});

it('a fact store that fails costs a probe and nothing else', async () => {
  const { newVerifier } = await openWorld({ zone: 'domain open.test catch-all' });
  for (const fail of [
    () => Promise.reject(new Error('the store is away')),
    () => {
      throw new Error('the store is away');
    },
  ]) {
    const verifier = newVerifier({
      factStore: {
        findCatchAll: fail,
        saveCatchAll: fail,
        findControl: fail,
        saveControl: fail,
        findAcceptance: fail,
        saveAcceptance: fail,
        findSilence: fail,
        saveSilence: fail,
        findHostUse: fail,
        saveHostUse: fail,
      },
    });
    expect(await verifier.verify('jane@open.test')).toMatchObject({ result: 'CATCH_ALL' });
  }
});

it('permits that reject defer the addresses of the host', async () => {
  const { newVerifier } = await openWorld({ zone: 'domain open.test catch-all' });
  let calls = 0;
  const permits = {
    acquire: async () => {
      calls += 1;
      if (calls === 1) throw new Error('the permits are away');
      return { release: () => {} };
    },
  };
  expect(await newVerifier({ permits }).verify('jane@open.test')).toMatchObject({ result: 'CATCH_ALL' });
});

describe('a provider with published limits', () => {
  const zone = `
    host mx1.large.test
    host mx2.large.test
    domain one.test mx mx1.large.test; accepts user*
    domain two.test mx mx2.large.test; accepts user*; says "421 4.7.0 [TSS04] deferred" angry`;
  const providers = [
    {
      name: 'Large',
      hosts: ['*large.test'],
      connections: 2,
      recipientsPerConnection: 20,
      rests: [{ says: 'tss04', minutes: 120 }],
    },
  ];

  it('gets no more connections and recipients than it allows, and the evidence says so', async () => {
    const { world, newVerifier } = await openWorld({ zone, replyDelayMs: 2 });
    const addresses = [...users(150, 'one.test'), ...users(150, 'two.test')];
    const findings = await collect(newVerifier({ providers }).verifyAll(addresses));
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 300 });
    expect(world.conduct.total.connectionsPeak).toBeLessThanOrEqual(2);
    expect(world.conduct.total.recipientsPerConnectionMax).toBeLessThanOrEqual(20);
    expect(findings[0]?.evidence[0]).toMatchObject({
      stage: 'dns',
      limit: 'Large allows 2 connections, 20 recipients per connection',
    });
  });

  it.each(['452 4.2.2 <{rcpt}>: over quota', '421 4.3.0 <{rcpt}>: closing'])(
    'does not rest because of the words in a mailbox: "%s"',
    async (reply) => {
      const echoing = `${zone}\n domain echo.test mx mx1.large.test; says "${reply}" *`;
      const { newVerifier } = await openWorld({ zone: echoing });
      const verifier = newVerifier({ providers });
      await verifier.verify('"my tss04 box"@echo.test', { deferrals: 'return' });
      expect(await verifier.verify('user1@two.test')).toMatchObject({ result: 'VALID' });
    },
  );

  it('rests with all its hosts after a reply that asks for it, and the evidence says so', async () => {
    const { world, newVerifier } = await openWorld({ zone });
    const verifier = newVerifier({ providers });
    const angry = await verifier.verify('angry@two.test', { deferrals: 'return' });
    const rest = { limit: 'Large rests 120 min after "tss04"' };
    expect(angry).toMatchObject({ kind: 'try_again', result: 'UNKNOWN', reason: 'throttled' });
    expect(angry.evidence.at(-1)).toMatchObject(rest);

    world.conduct.reset();
    const other = await verifier.verify('user1@one.test', { deferrals: 'return' });
    expect(other).toMatchObject({ kind: 'try_again', deferralCount: 0 });
    expect(other.kind === 'try_again' && other.afterMs).toBeGreaterThan(7_000_000);
    expect(other.evidence.at(-1)).toMatchObject(rest);
    expect(await verifier.verify('user2@one.test')).toMatchObject({ kind: 'verdict', reason: 'throttled' });
    expect(world.conduct.total.connectionsTotal).toBe(0);
  });
});
