import { expect, it } from 'vitest';
import { createMemoryLedger, Governor } from '../../conduct/governor.ts';
import { createMemoryWishes } from '../../conduct/owner-doors.ts';
import type { DnsAnswer, Resolver } from '../../dns/resolver.ts';
import { createMemoryFactStore } from '../../fact-store.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import { createDialGuard } from '../../net/dial-guard.ts';
import { anyLocalAddress } from '../../smtp/egress.ts';
import { ReadTurns } from '../../smtp/read-turns.ts';
import { buildJob, RecordingClient } from '../../testing/jobs.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { defaultLimits, defaultTimeouts } from '../../verifier.ts';
import { createMemoryPermits } from '../hosts/host-permits.ts';
import { Job, MailDomain } from '../jobs/job.ts';
import { Engine } from './engine.ts';

const turn = () => new Promise(setImmediate);

function openEngine(lookups: Pick<Resolver, 'mx' | 'ipv4'>, clock: ManualClock): Engine {
  const resolver: Resolver = { ...lookups, ipv6: async () => ({ status: 'no_data', expiresAt: 0 }) };
  return new Engine({
    session: {
      helo: 'probe.example.com',
      mailFrom: '',
      timeouts: defaultTimeouts,
      guard: createDialGuard(25, []),
      egress: anyLocalAddress,
      clock,
      readTurns: new ReadTurns(),
    },
    resolver: {
      ...resolver,
      askedBy: () => resolver,
      txt: async () => ({ status: 'no_data', expiresAt: Number.POSITIVE_INFINITY }),
      close: () => {},
    },
    wishes: createMemoryWishes(clock),
    governor: new Governor(createMemoryLedger(clock), clock),
    facts: createMemoryFactStore(),
    permits: createMemoryPermits({ perHost: 1, perProvider: 1, total: 1 }),
    traits: {
      describe: () => {},
      suggestionFor: () => undefined,
      registrableDomainOf: (host) => host,
      hostKindOf: () => 'serves_anybody',
    },
    providerOf: (name) => ({ name }),
    limits: defaultLimits,
    mayRest: () => false,
    isMoreComing: () => false,
  });
}

it('a question of our own is not taken to the next host: only the host that answered can confirm its answer', () => {
  const clock = new ManualClock();
  const noData: DnsAnswer<never> = { status: 'no_data', expiresAt: 0 };
  const engine = openEngine({ mx: async () => noData, ipv4: async () => noData }, clock);
  const domain = new MailDomain('example.com');
  domain.route = { kind: 'hosts', hosts: ['mx1', 'mx2'], isImplicit: false, expiresAt: Infinity };
  const found: string[] = [];
  const probe = {
    stage: 'proof' as const,
    onAnswer: (_: Job, { rule }: ReplyClass) => void found.push(rule),
  };
  const address = { email: '', mailbox: 'nobody@example.com', needsUtf8: false };
  engine.onHostFailed(new Job(address, new RecordingClient(), domain, 'mx1', probe), 'connection_lost', {
    stage: 'rcpt',
  });
  expect(found).toEqual(['host-failed']);
});

it('defers an address while our own name server is away, for its domain or for its host', async () => {
  const clock = new ManualClock();
  const away = () => ({ status: 'timeout', isResolverAway: true, expiresAt: clock.now() }) as const;
  const records = [{ preference: 10, exchange: 'mx.example.com' }];
  const isRouted = { value: false };
  const engine = openEngine(
    {
      mx: async () => (isRouted.value ? { status: 'found', records, expiresAt: Infinity } : away()),
      ipv4: async () => away(),
    },
    clock,
  );
  const client = new RecordingClient({ deferrals: 'return' });
  engine.submit('jane@example.com', client, 1);
  await turn();
  isRouted.value = true;
  engine.submit('joe@example.com', client, 2);
  await turn();
  expect(client.findings).toEqual([
    'jane@example.com dns_timeout again in 5000',
    'joe@example.com dns_timeout again in 5000',
  ]);
  expect(client.evidence.map((stages) => stages.at(-1)?.note)).toEqual([
    'our name server is away',
    'our name server is away',
  ]);
});

it('asks no further host of a domain whose hosts have failed for half a minute, so that a job of ten silent hosts ends', () => {
  const clock = new ManualClock();
  const pending = new Promise<never>(() => {});
  const engine = openEngine({ mx: () => pending, ipv4: () => pending }, clock);
  const domain = new MailDomain('example.com');
  const hosts = Array.from({ length: 10 }, (_, rank) => `mx${rank}`);
  domain.route = { kind: 'hosts', hosts, isImplicit: false, expiresAt: Infinity };
  const client = new RecordingClient();
  const job = buildJob('jane@example.com', client, domain);
  job.isRouted = true;
  for (const asked of [1, 2]) {
    clock.advance(30_000);
    engine.onHostFailed(job, 'no_mail_host', { stage: 'connect' });
    expect(job.hostRank).toBe(asked);
  }
  clock.advance(30_000);
  engine.onHostFailed(job, 'no_mail_host', { stage: 'connect' });
  expect(client.findings).toEqual(['jane@example.com connection_refused']);
});

it('a question of our own that a resting host holds off has no answer, whatever the host said', () => {
  const pending = new Promise<never>(() => {});
  const engine = openEngine({ mx: () => pending, ipv4: () => pending }, new ManualClock());
  const found: ReplyClass[] = [];
  const probe = {
    stage: 'control' as const,
    onAnswer: (_: Job, answer: ReplyClass) => void found.push(answer),
  };
  const address = { email: '', mailbox: 'postmaster@example.com', needsUtf8: false };
  const job = new Job(address, new RecordingClient(), new MailDomain('example.com'), 'mx1', probe);
  const tooMany = { meaning: 'new_transaction', reason: 'throttled', rule: 'too-many' } as const;
  engine.onHeldOff(job, tooMany, 60_000, { stage: 'rcpt' });
  expect(found).toEqual([{ ...tooMany, meaning: 'slow_down', retryAfterMs: 60_000 }]);
});

it('gives an address back that a host defers when it is too late for the next host', () => {
  const clock = new ManualClock();
  const pending = new Promise<never>(() => {});
  const engine = openEngine({ mx: () => pending, ipv4: () => pending }, clock);
  const domain = new MailDomain('example.com');
  domain.route = { kind: 'hosts', hosts: ['mx0', 'mx1', 'mx2'], isImplicit: false, expiresAt: Infinity };
  const client = new RecordingClient({ deferrals: 'return' });
  const job = buildJob('jane@example.com', client, domain);
  job.isRouted = true;
  job.transaction = { askedAt: 0, size: 1, openCount: 0 };
  engine.onHostFailed(job, 'no_mail_host', { stage: 'connect' });
  // The next host has the whole time for it, as for one that was not asked about anywhere.
  expect(job.transaction).toBeUndefined();
  clock.advance(180_000);
  const throttled = { meaning: 'slow_down', reason: 'throttled', rule: '' } as const;
  engine.onHeldOff(job, throttled, 30_000, { stage: 'rcpt' });
  expect(client.findings).toEqual(['jane@example.com throttled again in 30000']);
});

it('jobs that wait for the addresses of a host keep waiting when the MX records expire meanwhile', async () => {
  const clock = new ManualClock();
  const addresses = Promise.withResolvers<DnsAnswer<string>>();
  const expiresAt = clock.now();
  const records = [{ preference: 1, exchange: 'mx.example.com' }];
  const engine = openEngine(
    { mx: async () => ({ status: 'found', records, expiresAt }), ipv4: () => addresses.promise },
    clock,
  );
  const client = new RecordingClient();
  for (const email of ['jane@example.com', 'john@example.com']) {
    engine.submit(email, client, email);
    await turn();
  }
  addresses.resolve({ status: 'no_data', expiresAt });
  await turn();
  expect(client.findings).toEqual(['jane@example.com no_mail_host', 'john@example.com no_mail_host']);
});
