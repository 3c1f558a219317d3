import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { startMailWorld } from '@assay/mail-world';
import type { Answer } from 'dns-packet';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedDns } from '../testing/dns-server.ts';
import { checkEgress } from './check-egress.ts';
import type { EgressDns } from './egress-dns.ts';
import type { EgressCheck, EgressCheckOptions } from './egress-finding.ts';
import { checkSpf } from './spf.ts';

const good: Record<string, string> = {
  'A mx.target.test': '127.0.0.1',
  'A probe.example.com': '203.0.113.9',
  'PTR 9.113.0.203.in-addr.arpa': 'probe.example.com',
  'TXT example.com': 'v=spf1 ip4:203.0.113.0/24 -all',
  'A 2.0.0.127.bl.test': '127.0.0.2',
};

async function startTarget(): Promise<number> {
  const server = createServer((socket) => socket.end('220 ready\r\n').on('error', () => {})).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function check(zone: Record<string, string>, options: Partial<EgressCheckOptions> = {}) {
  const { server, asked } = await startScriptedDns((question) => {
    const [type = '', name = ''] = question.toLowerCase().split(' ');
    const data = Object.entries(zone).find(([key]) => key.toLowerCase() === `${type} ${name}`)?.[1];
    if (data === 'SERVFAIL') return { rcode: 2 };
    if (data === undefined) return { rcode: 3 };
    return { answers: [{ type: type.toUpperCase(), name, ttl: 60, data } as Answer] };
  });
  const report = await checkEgress({
    helo: 'probe.example.com',
    mailFrom: 'verify@example.com',
    dns: [server],
    egress: { kind: 'local' },
    smtpPort: await startTarget(),
    allowRanges: ['127.0.0.0/8'],
    targets: ['mx.target.test'],
    blockLists: ['bl.test'],
    address: '203.0.113.9',
    ...options,
  });
  const statusOf = (name: EgressCheck) => report.findings.find((finding) => finding.check === name);
  return { report, statusOf, asked };
}

describe('the check of an egress address', () => {
  it('is fine where port 25 is open and the names fit', async () => {
    const { report } = await check(good);
    expect(report.findings.map(({ check: name, status }) => `${name} ${status}`)).toEqual([
      'port_25 ok',
      'address ok',
      'reverse_dns ok',
      'helo ok',
      'spf ok',
      'block_lists ok',
    ]);
    expect(report).toMatchObject({ isPortClosed: false, isListed: false });
  });

  it('says that port 25 is closed when a dialled target refuses, and how to mend it', async () => {
    const { report, statusOf } = await check(good, { smtpPort: 1 });
    expect(report.isPortClosed).toBe(true);
    expect(statusOf('port_25')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('mx.target.test: refused'),
      fix: expect.stringContaining('open outbound port 25'),
    });
  });

  it('names the proxy as what to mend when it is away', async () => {
    const egress = { kind: 'socks5', host: '127.0.0.1', port: 1 } as const;
    const { report, statusOf } = await check(good, { egress });
    expect(report.isPortClosed).toBe(true);
    expect(statusOf('port_25')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('mx.target.test: egress away'),
      fix: expect.stringContaining('proxy of this egress'),
    });
  });

  it('does not call the port closed when DNS knows no target, or the guard forbids it', async () => {
    const unknown = await check({ ...good, 'A mx.target.test': 'SERVFAIL' });
    expect(unknown.report.isPortClosed).toBe(false);
    expect(unknown.statusOf('port_25')?.status).toBe('unclear');
    const forbidden = await check(good, { allowRanges: [] });
    expect(forbidden.report.isPortClosed).toBe(false);
    expect(forbidden.statusOf('port_25')?.status).toBe('unclear');
  });

  const ipv6 = '2001:db8::9';
  const ipv6Name = `${'9'.padEnd(24, '0').split('').join('.')}.8.b.d.0.1.0.0.2.ip6.arpa`;
  const both = { ...good, 'AAAA probe.example.com': ipv6 };
  const bothGood = {
    ...both,
    [`PTR ${ipv6Name}`]: 'probe.example.com',
    'TXT example.com': 'v=spf1 ip4:203.0.113.0/24 ip6:2001:db8::/32 -all',
  };

  it('wants a reverse name that leads back, and SPF, for each address of the HELO name', async () => {
    const fine = await check(bothGood);
    expect([fine.statusOf('reverse_dns')?.status, fine.statusOf('spf')?.status]).toEqual(['ok', 'ok']);
    const nameless = await check({ ...both, 'TXT example.com': bothGood['TXT example.com'] });
    expect(nameless.statusOf('reverse_dns')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining(`${ipv6} has no reverse name`),
    });
    const unlisted = await check({ ...bothGood, 'TXT example.com': good['TXT example.com'] as string });
    expect(unlisted.statusOf('spf')).toMatchObject({
      status: 'problem',
      fix: expect.stringContaining(`ip6:${ipv6}`),
    });
  });

  it('wants SPF of the HELO name only where that has a record', async () => {
    const refused = await check({ ...good, 'TXT probe.example.com': 'v=spf1 -all' });
    expect(refused.statusOf('spf')).toMatchObject({
      status: 'problem',
      detail: 'The SPF record of probe.example.com does not allow 203.0.113.9.',
    });
    const allowed = await check({ ...good, 'TXT probe.example.com': 'v=spf1 a -all' });
    expect(allowed.statusOf('spf')?.status).toBe('ok');
  });

  it.each<[string, Record<string, string>, EgressCheck, string]>([
    ['no reverse name', { 'PTR 9.113.0.203.in-addr.arpa': '' }, 'reverse_dns', 'problem'],
    [
      'a failed lookup of the reverse name',
      { 'PTR 9.113.0.203.in-addr.arpa': 'SERVFAIL' },
      'reverse_dns',
      'unclear',
    ],
    [
      'a reverse name that leads elsewhere',
      { 'A probe.example.com': '203.0.113.8' },
      'reverse_dns',
      'problem',
    ],
    ['a HELO name that leads elsewhere', { 'A probe.example.com': '203.0.113.8' }, 'helo', 'problem'],
    ['no SPF record', { 'TXT example.com': 'hello' }, 'spf', 'problem'],
    ['an SPF record without us', { 'TXT example.com': 'v=spf1 ip4:192.0.2.1 -all' }, 'spf', 'problem'],
    ['a failed lookup', { 'TXT example.com': 'SERVFAIL' }, 'spf', 'unclear'],
    ['a listing', { 'A 9.113.0.203.bl.test': '127.0.0.2' }, 'block_lists', 'problem'],
    ['an answer that is no listing', { 'A 9.113.0.203.bl.test': '127.0.0.1' }, 'block_lists', 'ok'],
    [
      'a list that refuses our resolver',
      { 'A 9.113.0.203.bl.test': '127.255.255.254', 'A 2.0.0.127.bl.test': '127.255.255.254' },
      'block_lists',
      'unclear',
    ],
    [
      'a list that names every address',
      { 'A 9.113.0.203.bl.test': '127.0.0.2', 'A 1.0.0.127.bl.test': '127.0.0.2' },
      'block_lists',
      'unclear',
    ],
    [
      'a resolver that rewrites answers',
      { 'A 9.113.0.203.bl.test': '198.51.100.1', 'A 2.0.0.127.bl.test': '198.51.100.1' },
      'block_lists',
      'unclear',
    ],
    [
      'a list that has ended',
      { 'A 9.113.0.203.bl.test': '127.0.0.2', 'A 2.0.0.127.bl.test': '' },
      'block_lists',
      'unclear',
    ],
  ])('%s', async (_situation, change, name, status) => {
    const zone = Object.fromEntries(Object.entries({ ...good, ...change }).filter(([, data]) => data !== ''));
    const { report, statusOf } = await check(zone);
    expect(statusOf(name)?.status).toBe(status);
    if (status === 'problem') expect(statusOf(name)?.fix).toMatch(/\w{3}/);
    expect(report.isListed).toBe(name === 'block_lists' && status === 'problem');
  });

  it('asks only for its target where connections leave from a private address', async () => {
    const { report, asked } = await check(good, { address: undefined });
    expect(report.findings.map(({ status }) => status)).toEqual([
      ...['ok', 'unclear', 'skipped', 'skipped', 'skipped', 'skipped'],
    ]);
    expect([...new Set(asked.map((question) => question.toLowerCase()))].sort()).toEqual([
      'a mx.target.test',
      'aaaa mx.target.test',
    ]);
  });

  it('asks no further and says what it did not check when no name server answers', async () => {
    const { server, asked } = await startScriptedDns(() => undefined);
    for (const dns of [[server], ['127.0.0.1:1']]) {
      const { report } = await check(good, { dns });
      expect(report).toMatchObject({ isPortClosed: false, isListed: false });
      expect(report.findings.map(({ check: name, status }) => `${name} ${status}`)).toEqual([
        ...['port_25 unclear', 'address unclear', 'reverse_dns unclear', 'helo unclear', 'spf unclear'],
        'block_lists unclear',
      ]);
      expect(report.findings[0]?.fix).toContain('Connect this machine to the network');
    }
    expect(new Set(asked)).toEqual(new Set(['A mx.target.test', 'AAAA mx.target.test']));
  });

  it('is given up while DNS is silent', async () => {
    const { server, asked } = await startScriptedDns(() => undefined);
    const abort = new AbortController();
    const checking = checkEgress({
      helo: 'probe.example.com',
      mailFrom: 'verify@example.com',
      dns: [server],
      egress: { kind: 'local' },
      smtpPort: 25,
      allowRanges: [],
      targets: ['mx.target.test'],
      blockLists: [],
      signal: abort.signal,
    });
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    abort.abort();
    expect(await checking).toMatchObject({ isPortClosed: false });
  });
});

describe('SPF', () => {
  const zone = (texts: Record<string, string>): EgressDns => ({
    addresses: async (name) => (name === 'mx.example.com' || name === 'example.com' ? ['192.0.2.7'] : []),
    namesOf: async () => [],
    texts: async (name) => (texts[name] === undefined ? [] : [texts[name]]),
    mailHosts: async () => ['mx.example.com'],
  });

  it.each([
    ['v=spf1 a -all', '192.0.2.7', 'pass'],
    ['v=spf1 mx -all', '192.0.2.7', 'pass'],
    ['v=spf1 mx:example.com/24 -all', '192.0.2.99', 'pass'],
    ['v=spf1 include:other.com -all', '198.51.100.1', 'pass'],
    ['v=spf1 redirect=other.com', '198.51.100.1', 'pass'],
    ['v=spf1 ip6:2001:db8::/32 -all', '2001:db8::1', 'pass'],
    ['v=spf1 ~all', '192.0.2.7', 'fail'],
    ['v=spf1 -ip4:192.0.2.7 +all', '192.0.2.7', 'fail'],
    ['v=spf1', '192.0.2.7', 'fail'],
    ['v=spf1 exists:%{i}.example.com -all', '192.0.2.7', 'unclear'],
    ['v=spf1 include:example.com -all', '192.0.2.7', 'unclear'],
    ['nothing', '192.0.2.7', 'none'],
  ])('%s for %s: %s', async (record, ip, result) => {
    const dns = zone({ 'example.com': record, 'other.com': 'v=spf1 ip4:198.51.100.0/24 -all' });
    expect(await checkSpf('example.com', ip, dns)).toBe(result);
  });
});

describe('the mailboxes of postmasters', () => {
  const askAt = async (zone: string) => {
    const world = await startMailWorld({ zone });
    onTestFinished(() => world.close());
    const { findings } = await checkEgress({
      helo: 'probe.ours.test',
      mailFrom: 'verify@sender.test',
      dns: [world.dns],
      egress: { kind: 'local' },
      smtpPort: 25,
      allowRanges: world.allowRanges,
      targets: [],
      blockLists: [],
      asksContacts: true,
    });
    return findings.find(({ check: name }) => name === 'contacts');
  };

  it('are fine where the domains of HELO and sender have them', async () => {
    const found = await askAt('domain ours.test accepts abuse\ndomain sender.test accepts abuse');
    expect(found).toEqual({
      check: 'contacts',
      status: 'ok',
      detail: 'postmaster@ours.test, abuse@ours.test, postmaster@sender.test, abuse@sender.test take mail.',
    });
  });

  it('are not looked for at a name that is only this machine’s', async () => {
    const { findings } = await checkEgress({
      helo: 'machine',
      mailFrom: 'verify@machine',
      dns: ['127.0.0.1:1'],
      egress: { kind: 'local' },
      smtpPort: 25,
      allowRanges: [],
      targets: [],
      blockLists: [],
      asksContacts: true,
    });
    expect(findings.find(({ check: name }) => name === 'contacts')?.status).toBe('skipped');
  });

  it('are a problem where one is missing, and unclear where a host does not say', async () => {
    expect(await askAt('domain ours.test accepts abuse\ndomain sender.test accepts jane')).toMatchObject({
      status: 'problem',
      detail: 'Nobody can write to abuse@sender.test.',
    });
    expect(
      await askAt('domain ours.test accepts abuse\ndomain sender.test at rcpt say "450 later"'),
    ).toMatchObject({ status: 'unclear' });
  });
});
