import { describe, expect, it } from 'vitest';
import { findHostAddresses, findMailRoute } from './mail-route.ts';
import type { DnsAnswer, MxRecord, Resolver } from './resolver.ts';

interface Answers {
  mx?: DnsAnswer<MxRecord>;
  ipv4?: DnsAnswer<string>;
  ipv6?: DnsAnswer<string>;
}

const nothing = { status: 'no_data', expiresAt: 90 } as const;
const found = <Record>(records: Record[], expiresAt = 50): DnsAnswer<Record> => ({
  status: 'found',
  records,
  expiresAt,
});
const exchanges = (...records: [number, string][]) =>
  found(records.map(([preference, exchange]) => ({ preference, exchange })));

const resolverOf = ({ mx = nothing, ipv4 = nothing, ipv6 = nothing }: Answers): Resolver => ({
  mx: async () => mx,
  ipv4: async () => ipv4,
  ipv6: async () => ipv6,
});

const routeOf = (answers: Answers, domain = 'example.com') => findMailRoute(domain, resolverOf(answers));

describe('findMailRoute', () => {
  it('orders hosts by preference and says how long that holds', async () => {
    expect(await routeOf({ mx: exchanges([30, 'c'], [10, 'a'], [20, 'b']) })).toEqual({
      kind: 'hosts',
      hosts: ['a', 'b', 'c'],
      isImplicit: false,
      expiresAt: 50,
    });
  });

  it('begins among equals where the name of the domain says, and goes round', async () => {
    const equals = exchanges([5, 'z'], [10, 'd'], [10, 'b'], [10, 'a'], [10, 'c'], [20, 'y']);
    const routes = await Promise.all(
      ['one.com', 'two.com', 'seven.com', 'eight.com'].map((name) => routeOf({ mx: equals }, name)),
    );
    expect(routes.map((route) => 'hosts' in route && route.hosts.join(''))).toEqual([
      'zabcdy',
      'zcdaby',
      'zbcday',
      'zdabcy',
    ]);
  });

  it('asks a host that is listed twice once', async () => {
    expect(await routeOf({ mx: exchanges([1, 'a'], [2, 'a'], [3, 'b']) })).toMatchObject({
      hosts: ['a', 'b'],
    });
  });

  it('asks at most ten hosts', async () => {
    const many = exchanges(
      ...Array.from({ length: 12 }, (_, index): [number, string] => [index, `h${index}`]),
    );
    const route = await routeOf({ mx: many });
    expect('hosts' in route && route.hosts).toEqual(Array.from({ length: 10 }, (_, index) => `h${index}`));
  });

  it('ignores exchanges that are no host names beside one that is', async () => {
    const mx = exchanges([0, '.'], [0, ''], [1, '192.0.2.1'], [2, '2001:db8::1'], [2, 'm\0x'], [3, 'mx']);
    expect(await routeOf({ mx })).toMatchObject({ kind: 'hosts', hosts: ['mx'] });
  });

  it.each<[string, DnsAnswer<MxRecord>, object]>([
    ['a null MX', exchanges([0, '.']), { kind: 'null_mx', expiresAt: 50 }],
    ['an empty exchange', exchanges([0, '']), { kind: 'null_mx', expiresAt: 50 }],
    ['only an IPv4 address', exchanges([0, '192.0.2.1']), { kind: 'no_mail_host', expiresAt: 50 }],
    ['only an IPv6 address', exchanges([0, '2001:db8::1']), { kind: 'no_mail_host', expiresAt: 50 }],
    ['only a name with NUL', exchanges([0, 'mx\0.test']), { kind: 'no_mail_host', expiresAt: 50 }],
    [
      'a null MX and an address',
      exchanges([0, '.'], [1, '192.0.2.1']),
      { kind: 'no_mail_host', expiresAt: 50 },
    ],
    ['no such name', { status: 'no_such_name', expiresAt: 7 }, { kind: 'no_such_domain', expiresAt: 7 }],
    [
      'an error',
      { status: 'failed', detail: 'SERVFAIL', expiresAt: 7 },
      { kind: 'dns_failed', detail: 'SERVFAIL', expiresAt: 7 },
    ],
    ['silence', { status: 'timeout', expiresAt: 7 }, { kind: 'dns_timeout', expiresAt: 7 }],
  ])('%s leads nowhere', async (_, mx, route) => {
    expect(await routeOf({ mx })).toEqual(route);
  });

  it.each<[string, Answers, object]>([
    [
      'the domain itself',
      { ipv4: found(['192.0.2.1']) },
      { kind: 'hosts', hosts: ['example.com'], isImplicit: true, expiresAt: 50 },
    ],
    ['nowhere', {}, { kind: 'no_mail_host', expiresAt: 90 }],
    [
      'an error',
      { ipv4: { status: 'failed', detail: '', expiresAt: 7 } },
      { kind: 'dns_failed', expiresAt: 7 },
    ],
    ['silence', { ipv6: { status: 'timeout', expiresAt: 7 } }, { kind: 'dns_timeout', expiresAt: 7 }],
  ])('without MX mail goes to %s', async (_, answers, route) => {
    expect(await routeOf(answers)).toEqual(route);
  });
});

describe('findHostAddresses', () => {
  const addressesOf = (answers: Answers) => findHostAddresses('mx', resolverOf(answers));

  it('puts IPv4 first and holds as long as the shorter of both answers', async () => {
    const answers = { ipv4: found(['192.0.2.1'], 40), ipv6: found(['2001:db8::1'], 30) };
    expect(await addressesOf(answers)).toEqual({
      kind: 'addresses',
      ips: ['192.0.2.1', '2001:db8::1'],
      expiresAt: 30,
    });
  });

  it('takes at most eight addresses', async () => {
    const ips = Array.from({ length: 9 }, (_, index) => `192.0.2.${index}`);
    expect(await addressesOf({ ipv4: found(ips) })).toMatchObject({ ips: ips.slice(0, 8) });
  });

  it.each<[string, Answers, string]>([
    [
      'one address despite an error',
      { ipv4: found(['a']), ipv6: { status: 'failed', detail: '', expiresAt: 1 } },
      'addresses',
    ],
    ['nothing', {}, 'none'],
    ['no such name', { ipv4: { status: 'no_such_name', expiresAt: 1 } }, 'none'],
    ['an error for IPv4', { ipv4: { status: 'failed', detail: '', expiresAt: 1 } }, 'dns_failed'],
    ['an error for IPv6', { ipv6: { status: 'failed', detail: '', expiresAt: 1 } }, 'dns_failed'],
    ['silence for IPv4', { ipv4: { status: 'timeout', expiresAt: 1 } }, 'dns_timeout'],
    ['silence for IPv6', { ipv6: { status: 'timeout', expiresAt: 1 } }, 'dns_timeout'],
    [
      'silence and an error',
      { ipv4: { status: 'failed', detail: '', expiresAt: 1 }, ipv6: { status: 'timeout', expiresAt: 1 } },
      'dns_timeout',
    ],
  ])('%s', async (_, answers, kind) => {
    expect(await addressesOf(answers)).toMatchObject({ kind });
  });
});
