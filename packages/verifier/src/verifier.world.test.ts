import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryFactStore } from './fact-store.ts';
import { mx, startScriptedDns } from './testing/dns-server.ts';
import { collect, openWorld, tally, users } from './testing/world.ts';
import { createVerifier } from './verifier.ts';

// Generous, because the slow hosts of the world take three seconds on an idle machine.
const quick = {
  dnsMs: 8_000,
  connectMs: 8_000,
  greetingMs: 15_000,
  tlsMs: 8_000,
  commandMs: 15_000,
  recipientMs: 15_000,
};

describe('every behaviour of the mail world', { timeout: 120_000 }, () => {
  it('is judged as documented, with no violation of conduct and nothing left behind', async () => {
    const { world, newVerifier } = await openWorld();
    const verifier = newVerifier({ timeouts: quick });
    const findings = await collect(
      verifier.verifyAll(
        world.examples.map(({ address }) => address),
        { patienceMs: 15_000 },
      ),
    );
    const judged = findings.map(({ item, result, reason }) => `${item} ${result} ${reason}`);
    expect(judged.sort()).toEqual(
      world.examples.map(({ address, result, reason }) => `${address} ${result} ${reason}`).sort(),
    );
    expect(world.conduct.violations).toEqual([]);
    expect(world.conduct.total.commands.DATA).toBeUndefined();
    await verifier.close();
    await expect.poll(() => world.conduct.total.connectionsNow).toBe(0);
  });
});

describe('limits that hosts show', { timeout: 60_000 }, () => {
  it.each([
    ['few-recipients.test', 'five recipients in a transaction'],
    ['short-sessions.test', 'ten recipients on a connection'],
    ['few-transactions.test', 'two transactions on a connection'],
    ['few-connections.test', 'one connection at a time'],
    ['few-strangers.test', 'three unknown names on a connection'],
    ['paced.test', 'twenty recipients in half a second'],
    ['no-pipelining.test', 'one command at a time'],
    ['impatient.test', 'no resting'],
  ])('%s (%s): every one of 120 addresses is judged right', async (domain) => {
    const { world, newVerifier } = await openWorld();
    const addresses = [...users(100, domain), ...users(20, domain).map((address) => `no${address}`)];
    const findings = await collect(newVerifier().verifyAll(addresses, { patienceMs: 60_000 }));
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 100, 'INVALID no_such_mailbox': 20 });
    expect(world.conduct.violations).toEqual([]);
  });

  it('a limit of connections is respected once it is known', async () => {
    const { world, newVerifier } = await openWorld({ maxConnectionsPerHost: 2 });
    const findings = await collect(newVerifier().verifyAll(users(3_000, 'no-pipelining.test')));
    expect(tally(findings)).toEqual({ 'VALID mailbox_accepted': 3_000 });
    expect(world.conduct.total.connectionsRefused).toBeLessThanOrEqual(7);
  });

  it('many recipients share a connection: at most one for thirty addresses', async () => {
    const { world, newVerifier } = await openWorld();
    const findings = await collect(newVerifier().verifyAll(users(3_000, 'starttls.test')));
    expect(findings).toHaveLength(3_000);
    expect(world.conduct.total.connectionsTotal).toBeLessThanOrEqual(100);
    expect(world.conduct.total.recipientsPerTransactionMax).toBeLessThanOrEqual(100);
  });
});

describe('the proof of catch-all', () => {
  it('is asked once per domain with two names, after a real address was accepted, in transactions of their own', async () => {
    const { world, newVerifier } = await openWorld();
    await collect(newVerifier().verifyAll(['jane@exists.test', 'john@exists.test', 'info@exists.test']));
    const lines = world.conduct.transcripts.flatMap((transcript) => transcript.lines);
    const asked = lines.filter((line) => line.startsWith('RCPT'));
    expect(asked).toHaveLength(5);
    expect(asked.at(-2)).toMatch(/^RCPT TO:<[a-z]+@exists\.test>$/);
    expect(asked.at(-1)).toMatch(/^RCPT TO:<[a-z]+\d\d@exists\.test>$/);
    for (const proof of asked.slice(-2)) {
      expect(lines.slice(lines.indexOf(proof) - 2).slice(0, 2)).toEqual([
        'RSET',
        'MAIL FROM:<verify@probe.example.com>',
      ]);
    }
  });

  it('is not asked when no address was accepted', async () => {
    const { world, newVerifier } = await openWorld();
    await collect(newVerifier().verifyAll(['nobody@exists.test', 'stranger@exists.test']));
    const lines = world.conduct.transcripts.flatMap((transcript) => transcript.lines);
    expect(lines.filter((line) => line.startsWith('RCPT')).sort()).toEqual([
      'RCPT TO:<nobody@exists.test>',
      'RCPT TO:<postmaster@exists.test>',
      'RCPT TO:<stranger@exists.test>',
    ]);
  });

  it('is remembered for whoever shares the fact store', async () => {
    const { world, newVerifier } = await openWorld();
    const facts = new Map<string, { isCatchAll: boolean; provedAt: number }>();
    const factStore = {
      ...createMemoryFactStore(),
      findCatchAll: async (domain: string) => facts.get(domain),
      saveCatchAll: async (domain: string, fact: { isCatchAll: boolean; provedAt: number }) => {
        facts.set(domain, fact);
      },
    };
    await newVerifier({ factStore }).verify('anyone@catch-all.test');
    expect(facts.get('catch-all.test')).toMatchObject({ isCatchAll: true });
    world.conduct.reset();
    expect(await newVerifier({ factStore }).verify('other@catch-all.test')).toMatchObject({
      result: 'CATCH_ALL',
    });
    expect(world.conduct.total.recipients).toBe(1);
  });

  it.each([
    ['a yes of six days', true, 6, 0],
    ['a yes of eight days', true, 8, 2],
    ['a no of twenty hours', false, 20 / 24, 0],
    ['a no of two days', false, 2, 2],
  ])('%s: proved anew %s', async (_, isCatchAll, days, proofs) => {
    const { world, newVerifier } = await openWorld();
    const provedAt = Date.now() - days * 86_400_000;
    const factStore = { ...createMemoryFactStore(), findCatchAll: () => ({ isCatchAll, provedAt }) };
    await newVerifier({ factStore }).verify('jane@exists.test');
    expect(world.conduct.total.recipients).toBe(1 + proofs);
  });

  it('by a backup host is used and not shared', async () => {
    const { newVerifier } = await openWorld();
    const saved: string[] = [];
    const factStore = {
      ...createMemoryFactStore(),
      findCatchAll: () => undefined,
      saveCatchAll: (domain: string) => void saved.push(domain),
    };
    const verifier = newVerifier({ factStore });
    expect(await verifier.verify('jane@two-hosts.test')).toMatchObject({ result: 'VALID' });
    expect(await verifier.verify('jane@exists.test')).toMatchObject({ result: 'VALID' });
    expect(saved).toEqual(['exists.test']);
  });

  it('by the first host does not make VALID what a backup host accepts', async () => {
    const zone =
      'host mx.dead.test closed\ndomain away.test mx 10:mx.dead.test 20:mx.open.test; catch-all\nhost mx.open.test';
    const { newVerifier } = await openWorld({ zone });
    const fact = { isCatchAll: false, provedAt: Date.now() };
    const factStore = { ...createMemoryFactStore(), findCatchAll: () => fact };
    expect(await newVerifier({ factStore }).verify('jane@away.test')).toMatchObject({ result: 'CATCH_ALL' });
  });
});

it('a domain with more hosts than we ask, of which the first have no address, is UNKNOWN', async () => {
  const absent = Array.from({ length: 10 }, (_, index) => `${index}:absent.h${index}.test`).join(' ');
  const zone = `host mx.last.test\ndomain many.test mx ${absent} 99:mx.last.test; accepts jane`;
  const { newVerifier } = await openWorld({ zone });
  expect(await newVerifier().verify('jane@many.test')).toMatchObject({
    result: 'UNKNOWN',
    reason: 'connection_refused',
  });
});

describe('a name outside ASCII at a domain with several hosts', () => {
  const zone = `
    host mx.dead.test closed
    host mx.plain.test
    host mx.new.test offers SMTPUTF8
    domain away.test mx 10:mx.dead.test 20:mx.plain.test; accepts jörg
    domain both.test mx 10:mx.plain.test 20:mx.new.test; accepts jörg
    domain none.test mx 10:mx.plain.test; accepts jörg`;

  it.each([
    ['is UNKNOWN when the host that may take it is away', 'away.test', 'UNKNOWN', 'connection_refused'],
    ['is asked at the next host when the first cannot take it', 'both.test', 'VALID', 'mailbox_accepted'],
    ['is INVALID when no host can take it', 'none.test', 'INVALID', 'mailbox_name_not_supported'],
  ])('%s', async (_, domain, result, reason) => {
    const { newVerifier } = await openWorld({ zone });
    expect(await newVerifier().verify(`jörg@${domain}`)).toMatchObject({ result, reason });
  });
});

describe('addresses that must not be dialled', () => {
  it('are not: nothing is connected to without the range', async () => {
    const { world, newVerifier } = await openWorld();
    const finding = await newVerifier({ allowRanges: [] }).verify('jane@exists.test');
    expect(finding).toMatchObject({ result: 'UNKNOWN', reason: 'mail_host_forbidden' });
    expect(finding.evidence.at(-1)).toMatchObject({
      note: 'only private or reserved addresses, not dialled',
    });
    expect(world.conduct.total.connectionsTotal).toBe(0);
  });
});

describe('evidence', () => {
  it('names the host, its address, what it said and how long it took, and is small', async () => {
    const { world, newVerifier } = await openWorld();
    const { evidence } = await newVerifier().verify('jane@exists.test');
    const ip = world.addressOf('mx.exists.test');
    expect(evidence).toMatchObject([
      { stage: 'dns', note: 'MX mx.exists.test' },
      { stage: 'connect', host: 'mx.exists.test', ip, reply: expect.stringMatching(/^220 /), note: 'plain' },
      {
        stage: 'rcpt',
        host: 'mx.exists.test',
        ip,
        reply: expect.stringMatching(/^250 /),
        ms: expect.any(Number),
      },
      { stage: 'proof', host: 'mx.exists.test', reply: expect.stringMatching(/^550 /) },
    ]);
    expect(JSON.stringify(evidence).length).toBeLessThan(1_500);
  });

  it('shows every host that failed before one answered or none did', async () => {
    const { newVerifier } = await openWorld();
    const { evidence } = await newVerifier().verify('jane@closed.test');
    expect(evidence.at(-1)).toMatchObject({
      stage: 'connect',
      host: 'mx.closed.test',
      note: 'connection refused',
    });
  });
});

describe('did you mean', () => {
  const verify = async (hasMail: boolean) => {
    const { server } = await startScriptedDns((question) => {
      if (question === 'MX gmail.com' && hasMail) return { answers: [mx('gmail.com', 'mx.gmail.com')] };
      return { rcode: 3 };
    });
    const verifier = createVerifier({ dns: [server], helo: 'probe.example.com' });
    onTestFinished(() => verifier.close());
    return verifier.verify('jane@gmial.com');
  };

  it('is said when the domain meant has a mail host', async () => {
    expect(await verify(true)).toMatchObject({ reason: 'no_such_domain', didYouMean: 'jane@gmail.com' });
  });

  it('is not said otherwise', async () => {
    expect(await verify(false)).not.toHaveProperty('didYouMean');
  });
});
