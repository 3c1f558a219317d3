import { describe, expect, it } from 'vitest';
import { createMemoryFactStore } from '../../fact-store.ts';
import { collect, openWorld, tally, users } from '../../testing/world.ts';

const unknownUser = '550 5.1.1 <{rcpt}>: User unknown';
const dayMs = 86_400_000;

function askedNames(lines: readonly string[]): string[] {
  return lines.flatMap((line) => /^RCPT TO:<(.+)@/.exec(line)?.[1] ?? []);
}

describe('a refusal', () => {
  it('needs one question for postmaster, on the same connection, and is INVALID if that is accepted', async () => {
    const { world, newVerifier } = await openWorld({ zone: 'domain fine.test accepts jane' });
    const { result, evidence } = await newVerifier().verify('nobody@fine.test');
    expect(result).toBe('INVALID');
    expect(evidence.at(-1)).toMatchObject({ stage: 'control', reply: '250 2.1.5 Ok' });
    expect(world.conduct.total).toMatchObject({ recipients: 2, connectionsTotal: 1 });
  });

  it('of a host that refuses postmaster in the same words is UNKNOWN', async () => {
    const { newVerifier } = await openWorld({ zone: `domain all.test at rcpt say "${unknownUser}"` });
    expect(await newVerifier().verify('jane@all.test')).toMatchObject({
      result: 'UNKNOWN',
      reason: 'refuses_everyone',
    });
  });

  it('of a backup host that refuses everyone is UNKNOWN, although the first host accepted a mailbox today', async () => {
    const zone = `
      host mx.dead.test closed
      host mx.stale.test
      domain away.test mx 10:mx.dead.test 20:mx.stale.test; no-postmaster`;
    const { newVerifier } = await openWorld({ zone });
    const fact = { isCatchAll: false, provedAt: Date.now() };
    const factStore = { ...createMemoryFactStore(), findCatchAll: () => fact };
    expect(await newVerifier({ factStore }).verify('jane@away.test')).toMatchObject({
      result: 'UNKNOWN',
      reason: 'refuses_everyone',
    });
  });

  it('stands when postmaster is refused in other words', async () => {
    const zone = 'domain other.test accepts jane; says "550 5.7.1 Not from outside" postmaster';
    const { newVerifier } = await openWorld({ zone });
    expect(await newVerifier().verify('nobody@other.test')).toMatchObject({ result: 'INVALID' });
  });

  it('needs no question at a domain that accepted a mailbox in the same list', async () => {
    const { world, newVerifier } = await openWorld({
      zone: 'domain mixed.test accepts user1; no-postmaster',
    });
    const findings = await collect(newVerifier().verifyAll(['nobody@mixed.test', 'user1@mixed.test']));
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 1, 'INVALID no_such_mailbox': 1 });
    const lines = world.conduct.transcripts.flatMap((transcript) => transcript.lines);
    expect(askedNames(lines)).not.toContain('postmaster');
  });

  it('clear words are confirmed by another domain of the host, ambiguous ones are not', async () => {
    const zone = [
      'host mx.shared.test',
      'domain good.test mx mx.shared.test; accepts jane',
      `domain clear.test mx mx.shared.test; no-postmaster`,
      'wording vague missing "550 Rejected"',
      'domain vague.test mx mx.shared.test; wording vague; no-postmaster',
    ].join('\n');
    const { newVerifier } = await openWorld({ zone });
    const verifier = newVerifier();
    await verifier.verify('jane@good.test');
    expect(await verifier.verify('nobody@clear.test')).toMatchObject({ reason: 'no_such_mailbox' });
    expect(await verifier.verify('nobody@vague.test')).toMatchObject({ reason: 'refuses_everyone' });
  });

  it("'Access denied' stands at Microsoft's edge, and is checked elsewhere", async () => {
    const denied = '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)';
    const edge = 'tenant.mail.protection.outlook.com';
    const zone = [
      `host ${edge} at rcpt say "${denied}"`,
      `domain tenant.test mx ${edge}`,
      `domain elsewhere.test at rcpt say "${denied}"`,
    ].join('\n');
    const { newVerifier } = await openWorld({ zone });
    const verifier = newVerifier();
    expect(await verifier.verify('nobody@tenant.test')).toMatchObject({ reason: 'no_such_mailbox' });
    expect(await verifier.verify('nobody@elsewhere.test')).toMatchObject({ reason: 'refuses_everyone' });
  });

  it('is UNKNOWN when postmaster gets no answer', async () => {
    const zone = 'domain lost.test accepts jane; says "451 4.3.0 Try again later" postmaster';
    const { newVerifier } = await openWorld({ zone });
    const finding = await newVerifier().verify('nobody@lost.test', { patienceMs: 0 });
    expect(finding).toMatchObject({ result: 'UNKNOWN', reason: 'refusal_unproved' });
  });
});

describe('what is remembered', () => {
  it('postmaster is asked once a day by all that share the fact store', async () => {
    const { world, newVerifier } = await openWorld({ zone: `domain all.test at rcpt say "${unknownUser}"` });
    const factStore = createMemoryFactStore();
    const ask = (now: number) =>
      newVerifier({ factStore, clock: { now: () => now, wallNow: () => now, after: () => () => {} } }).verify(
        'jane@all.test',
      );
    const now = Date.now();
    for (const [at, recipients] of [
      [now, 2],
      [now + dayMs - 1, 3],
      [now + dayMs, 5],
    ] as const) {
      expect(await ask(at)).toMatchObject({ reason: 'refuses_everyone' });
      expect(world.conduct.total.recipients).toBe(recipients);
    }
    expect(JSON.stringify(await factStore.findControl('all.test'))).not.toMatch(/jane|@/);
  });

  it('the time of an acceptance at a host, never the address', async () => {
    const { newVerifier } = await openWorld({ zone: 'domain fine.test accepts jane; no-postmaster' });
    const factStore = createMemoryFactStore();
    await newVerifier({ factStore }).verify('jane@fine.test');
    expect(await factStore.findAcceptance('mx.fine.test')).toBeGreaterThan(0);
    expect(await newVerifier({ factStore }).verify('nobody@fine.test')).toMatchObject({ result: 'INVALID' });
  });
});

describe('a host that changes its answers after some recipients', () => {
  it.each([
    ['PIPELINING', 40],
    ['PIPELINING', 320],
    ['nothing', 40],
    ['nothing', 320],
  ])('and refuses everyone: no living mailbox is INVALID (lacks %s, %i addresses)', async (lacks, count) => {
    const limit = `limit recipients 12 per connection say "${unknownUser}"`;
    const zone = `domain turns.test accepts user*; ${limit}${lacks === 'nothing' ? '' : '; lacks PIPELINING'}`;
    const { world, newVerifier } = await openWorld({ zone });
    const counts = tally(await collect(newVerifier().verifyAll(users(count, 'turns.test'))));
    expect(counts['INVALID no_such_mailbox']).toBeUndefined();
    expect(counts['UNKNOWN answers_change']).toBeGreaterThan(0);
    if (count > 40) expect(world.conduct.total.connectionsTotal).toBeGreaterThan(1);
  });

  it.each([
    ['refuses everyone', unknownUser, ''],
    ['refuses everyone', unknownUser, '; lacks PIPELINING'],
    ['accepts everyone', '250 2.1.5 Ok', ''],
    ['accepts everyone', '250 2.1.5 Ok', '; lacks PIPELINING'],
  ])('and %s, in a mixed list: no verdict is wrong ("%s"%s)', async (_, reply, lacks) => {
    for (const limit of [5, 30, 60]) {
      const zone = `domain turns.test accepts user*; limit recipients ${limit} per connection say "${reply}"${lacks}`;
      const { world, newVerifier } = await openWorld({ zone });
      const addresses = users(320, 'turns.test').map((address, index) =>
        index % 5 < 2 ? `no${address}` : address,
      );
      const findings = await collect(newVerifier().verifyAll(addresses));
      const wrong = findings.filter(
        ({ email, result }) => result === (email.startsWith('no') ? 'VALID' : 'INVALID'),
      );
      expect(wrong).toEqual([]);
      expect(world.conduct.violations).toEqual([]);
    }
  });

  it('and hangs up before it is asked again for a known mailbox: no living mailbox is INVALID', async () => {
    const limits = `limit recipients 12 per connection say "${unknownUser}"; limit transactions 1`;
    const { newVerifier } = await openWorld({ zone: `domain leaves.test accepts user*; ${limits}` });
    const counts = tally(await collect(newVerifier().verifyAll(users(120, 'leaves.test'))));
    expect(counts['INVALID no_such_mailbox']).toBeUndefined();
  });

  it('and accepts everyone: no missing mailbox is VALID', async () => {
    const zone = 'domain opens.test accepts user*; limit recipients 12 per connection say "250 2.1.5 Ok"';
    const { newVerifier } = await openWorld({ zone });
    const dead = users(40, 'opens.test').map((address) => `no${address}`);
    const findings = await collect(newVerifier().verifyAll(['user1@opens.test', ...dead]));
    expect(findings.filter(({ result, email }) => result === 'VALID' && email.startsWith('no'))).toEqual([]);
  });
});

describe('a host that takes exactly as many recipients per connection as are left of a list', () => {
  it.each(['', '; lacks PIPELINING'])('still gets a verdict for all of them (%s)', async (trait) => {
    const zone = `domain ten.test accepts user*; limit recipients 10 per connection${trait}`;
    const { world, newVerifier } = await openWorld({ zone });
    // Another engine has proved the domain, so the first question of our own is the one that confirms the ten answers.
    const factStore = createMemoryFactStore();
    await factStore.saveCatchAll('ten.test', { isCatchAll: false, provedAt: Date.now() });
    const findings = await collect(newVerifier({ factStore }).verifyAll(users(10, 'ten.test')));
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 10 });
    expect(world.conduct.violations).toEqual([]);
  });
});

describe('a host that takes one recipient per connection', () => {
  const livingAndDead = ['user1', 'nobody', 'user2', 'noone', 'never', 'nope', 'user3', 'nowhere'];
  const addresses = livingAndDead.map((name) => `${name}@one.test`);

  it.each([
    ['', ''],
    ['', '; lacks PIPELINING'],
    [' say "452 4.5.3 Too many recipients"', ''],
    [' say "452 4.5.3 Too many recipients"', '; lacks PIPELINING'],
  ])('gets a verdict for dead addresses too (limit%s%s)', async (reply, lacks) => {
    const zone = `domain one.test accepts user*; limit recipients 1 per connection${reply}${lacks}`;
    const { world, newVerifier } = await openWorld({ zone });
    const findings = await collect(newVerifier().verifyAll(addresses));
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 3, 'INVALID no_such_mailbox': 5 });
    expect(world.conduct.violations).toEqual([]);
  });

  it('no living mailbox is INVALID when it begins to refuse everyone', async () => {
    const refusal = `limit recipients 6 per 1h say "${unknownUser}"`;
    const zone = `domain one.test accepts user*; limit recipients 1 per connection; ${refusal}`;
    const { newVerifier } = await openWorld({ zone });
    const findings = await collect(newVerifier().verifyAll(users(20, 'one.test')));
    expect(findings.filter(({ result }) => result === 'INVALID')).toEqual([]);
  });
});
