import { describe, expect, it } from 'vitest';
import type { LikelyDomain } from '../../address/likely-domain.ts';
import { createMemoryWishes, OwnerDoors } from '../../conduct/owner-doors.ts';
import type { DnsAnswer, MxRecord, Resolver, TextResolver } from '../../dns/resolver.ts';
import { createMemoryFactStore } from '../../fact-store.ts';
import { buildJob } from '../../testing/jobs.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import type { Job } from '../jobs/job.ts';
import { MailDomains } from './mail-domains.ts';

const ttlMs = 60_000;
const likely: Record<string, LikelyDomain> = {
  'gmaip.com': { name: 'gmail.com', isKnownTypo: false },
  'gmxil.com': { name: 'gmail.com', isKnownTypo: false },
  'unclear.com': { name: 'gmail.com', isKnownTypo: false },
  'gmial.com': { name: 'gmail.com', isKnownTypo: true },
  'nome.com': { name: 'none.com', isKnownTypo: true },
};

/** Knows an MX for every name but `none.com`, `gmaip.com` and `nome.com`, which do not exist. */
function openDomains() {
  const clock = new ManualClock();
  const asked: string[] = [];
  const facts = new Map([['known.com', { isCatchAll: true, provedAt: clock.now() }]]);
  const controls = new Map([['known.com', { askedAt: clock.now(), words: '550 no' }]]);
  const resolver: Resolver = {
    async mx(name): Promise<DnsAnswer<MxRecord>> {
      asked.push(name);
      const expiresAt = clock.now() + ttlMs;
      clock.advance(7);
      if (['none.com', 'gmaip.com', 'nome.com'].includes(name)) return { status: 'no_such_name', expiresAt };
      if (['broken.com', 'unclear.com'].includes(name))
        return { status: 'failed', detail: 'SERVFAIL', expiresAt };
      if (name === 'implicit.com') return { status: 'no_data', expiresAt };
      const exchanges = name === 'two.com' ? ['mx1.two.com', 'mx2.two.com'] : [`mx.${name}`];
      const records = exchanges.map((exchange, index) => ({ preference: index, exchange }));
      return { status: 'found', records, expiresAt };
    },
    ipv4: async (name) =>
      name === 'implicit.com'
        ? { status: 'found', records: ['192.0.2.1'], expiresAt: clock.now() + ttlMs }
        : { status: 'no_data', expiresAt: 0 },
    ipv6: async () => ({ status: 'no_data', expiresAt: 0 }),
  };
  const txt: TextResolver['txt'] = async () => ({ status: 'no_data', expiresAt: clock.now() + ttlMs });
  const domains = new MailDomains({
    resolver: { ...resolver, askedBy: () => resolver, txt, close: () => {} },
    doors: new OwnerDoors({ resolver: { txt }, store: createMemoryWishes(clock), clock }),
    clock,
    providerOf: (host) => ({
      name: host,
      ...(host === 'mx.limited.com' && { limit: 'Limited allows 2 connections', brand: 'Limited' }),
    }),
    facts: {
      ...createMemoryFactStore(),
      findCatchAll: (name) => facts.get(name),
      findControl: (name) => controls.get(name),
    },
    traits: {
      describe: (domain) => {
        domain.isDisposable = domain.name === 'trash.com';
      },
      suggestionFor: (name) => likely[name],
      registrableDomainOf: (host) => host,
      hostKindOf: (host) => (host === 'mx.burner.com' ? 'disposable' : 'unknown'),
    },
  });
  const route = async (name: string) => {
    const job = buildJob(`jane@${name}`, undefined, domains.named(name));
    await new Promise<Job>((resolve) => domains.findRoute(job, resolve));
    return job.domain;
  };
  return { clock, domains, asked, facts, controls, route };
}

describe('the domains under way', () => {
  it('describe a domain once, by our lists', () => {
    const { domains } = openDomains();
    expect(domains.named('trash.com').isDisposable).toBe(true);
    expect(domains.named('example.com').isDisposable).toBe(false);
    expect(domains.named('example.com')).toBe(domains.named('example.com'));
    expect([...domains].map(({ name }) => name)).toEqual(['trash.com', 'example.com']);
    domains.clear();
    expect([...domains]).toEqual([]);
  });

  it('look up a route once for all that ask meanwhile, and answer in order', async () => {
    const { domains, asked } = openDomains();
    const routed: string[] = [];
    for (const email of ['a', 'b', 'c']) {
      domains.findRoute(buildJob(email, undefined, domains.named('example.com')), (job) =>
        routed.push(job.email),
      );
    }
    await new Promise(setImmediate);
    expect(asked).toEqual(['example.com']);
    expect(routed).toEqual(['a', 'b', 'c']);
    expect(domains.named('example.com').waitingForRoute).toBeUndefined();
  });

  it('keep a route until it expires', async () => {
    const { clock, asked, route } = openDomains();
    await route('example.com');
    clock.advance(ttlMs - 8);
    await route('example.com');
    expect(asked).toHaveLength(1);
    clock.advance(1);
    const domain = await route('example.com');
    expect(asked).toHaveLength(2);
    expect(domain.route).toMatchObject({ kind: 'hosts', hosts: ['mx.example.com'] });
  });

  it('forget the pools with the old route', async () => {
    const { clock, domains, route } = openDomains();
    const pool = { name: 'old', acceptedAt: 0, add: () => {}, hasRoomForControl: () => true };
    domains.named('example.com').pools.push(pool);
    await route('example.com');
    clock.advance(ttlMs);
    expect((await route('example.com')).pools).toEqual([]);
  });

  it.each([
    ['example.com', 'MX mx.example.com'],
    ['two.com', 'MX mx1.two.com mx2.two.com'],
    ['implicit.com', 'A implicit.com'],
    ['none.com', 'no_such_domain'],
    ['broken.com', 'SERVFAIL'],
  ])('show the route of %s as evidence: %s', async (name, note) => {
    const { route } = openDomains();
    expect((await route(name)).dnsStage).toEqual({ stage: 'dns', note, ms: 7 });
  });

  it.each([
    ['example.com', 'mx.example.com'],
    ['limited.com', 'Limited'],
    ['none.com', undefined],
  ])('name who runs the mail host of %s: %s', async (name, provider) => {
    const { route } = openDomains();
    expect((await route(name)).mxProvider).toBe(provider);
  });

  it("show the limits of the host's provider as evidence", async () => {
    const { route } = openDomains();
    expect((await route('limited.com')).dnsStage).toMatchObject({ limit: 'Limited allows 2 connections' });
  });

  it.each([
    ['gmaip.com', 'does not exist', 'gmail.com'],
    ['gmxil.com', 'has an MX', undefined],
    ['unclear.com', 'may have an MX', undefined],
    ['gmial.com', 'has an MX and is a known typing mistake', 'gmail.com'],
    ['nome.com', 'would be corrected to a domain without mail hosts', undefined],
    ['example.com', 'resembles none', undefined],
  ])('suggest for %s, which %s: %s', async (name, _situation, suggestion) => {
    const { route } = openDomains();
    expect((await route(name)).suggestion).toBe(suggestion);
  });

  it('recognise a disposable domain by its mail host', async () => {
    const { route } = openDomains();
    expect((await route('burner.com')).isDisposable).toBe(true);
  });

  it('take over what is known about catch-all, unless it is old or they know better', async () => {
    const { clock, domains, facts, route } = openDomains();
    expect((await route('known.com')).hostAt(0).catchAll).toEqual(facts.get('known.com'));
    const better = { isCatchAll: false, provedAt: clock.now() };
    domains.named('known.com').hostAt(0).catchAll = better;
    clock.advance(ttlMs);
    expect((await route('known.com')).hostAt(0).catchAll).toBe(better);
    facts.set('old.com', { isCatchAll: true, provedAt: clock.now() - 8 * 86_400_000 });
    expect((await route('old.com')).hostAt(0).catchAll).toBeUndefined();
  });

  it('forget what backup hosts proved when they are looked up again', async () => {
    const { clock, domains, route } = openDomains();
    await route('known.com');
    domains.named('known.com').hostAt(1).catchAll = { isCatchAll: true, provedAt: clock.now() };
    clock.advance(ttlMs);
    expect((await route('known.com')).hostAt(1).catchAll).toBeUndefined();
  });

  it('take over how postmaster was answered, unless they know better', async () => {
    const { clock, domains, controls, route } = openDomains();
    expect((await route('known.com')).hostAt(0).control).toEqual(controls.get('known.com'));
    const better = { askedAt: clock.now() };
    domains.named('known.com').hostAt(0).control = better;
    clock.advance(ttlMs);
    expect((await route('known.com')).hostAt(0).control).toBe(better);
  });

  it('know from a proof that a mailbox was accepted then', async () => {
    const { facts, route } = openDomains();
    expect((await route('known.com')).hostAt(0).acceptedAt).toBe(facts.get('known.com')?.provedAt);
    expect((await route('example.com')).hostAt(0).acceptedAt).toBeUndefined();
  });

  it('forget the oldest quarter of 20,000, except domains that still wait', () => {
    const { domains } = openDomains();
    const waiting = domains.named('waiting.com');
    waiting.waitingForRoute = [];
    const proving = domains.named('proving.com');
    proving.hostAt(0).proof.isUnderWay = true;
    for (let index = 2; index < 20_000; index++) domains.named(`d${index}.com`);
    expect([...domains]).toHaveLength(20_000);
    domains.named('new.com');
    const names = [...domains].map(({ name }) => name);
    expect(names).toHaveLength(20_000 - 4_998 + 1);
    expect(names.slice(0, 3)).toEqual(['waiting.com', 'proving.com', 'd5000.com']);
    expect(names.at(-1)).toBe('new.com');
  });
});
