import { isIPv4 } from 'node:net';
import { resolverAwayNote } from '../evidence.ts';
import { isAskable } from './dns-transport.ts';
import type { DnsAnswer, MxRecord, Resolver } from './resolver.ts';

/** Where a domain's mail goes, or why it goes nowhere. */
export type MailRoute =
  | {
      kind: 'hosts';
      hosts: string[];
      isImplicit: boolean;
      /** Whether the domain has more hosts than we ask. */
      hasUnaskedHosts?: true;
      expiresAt: number;
    }
  | {
      kind: 'no_such_domain' | 'null_mx' | 'no_mail_host' | 'dns_failed' | 'dns_timeout';
      detail?: string;
      /** We could not ask our own name server. */
      isResolverAway?: true;
      expiresAt: number;
    };

/** The addresses of one mail host; IPv4 first, because reverse names of IPv6 senders are judged more strictly. */
export type HostAddresses =
  | { kind: 'addresses'; ips: string[]; expiresAt: number }
  | { kind: 'none' | 'dns_failed' | 'dns_timeout'; isResolverAway?: true; expiresAt: number };

const awayFields = { isResolverAway: true, detail: resolverAwayNote } as const;

// RFC 5321 §5.1 lets a sender limit how many hosts it tries; more than this is a mistake or an attack.
const hostsMax = 10;
const ipsMax = 8;

/** MX in order of preference; the domain itself when it has none (RFC 5321 §5.1); null MX (RFC 7505). */
export async function findMailRoute(domain: string, resolver: Resolver): Promise<MailRoute> {
  const mx = await resolver.mx(domain);
  switch (mx.status) {
    case 'found':
      return routeOfMx(domain, mx);
    case 'no_data':
      return findImplicitRoute(domain, resolver);
    case 'no_such_name':
      return { kind: 'no_such_domain', expiresAt: mx.expiresAt };
    case 'failed':
      return { kind: 'dns_failed', detail: mx.detail, expiresAt: mx.expiresAt };
    case 'timeout':
      return { kind: 'dns_timeout', expiresAt: mx.expiresAt, ...(mx.isResolverAway && awayFields) };
  }
}

// Only IPv6 is written with colons; Node's own test for it takes longer to set up than a hundred domains to look up.
const isIpAddress = (name: string): boolean => name.includes(':') || isIPv4(name);

function routeOfMx(domain: string, mx: DnsAnswer<MxRecord> & { status: 'found' }): MailRoute {
  const { records, expiresAt } = mx;
  // An exchange that is an IP address is no host name (RFC 5321 §5.1); resolvers would answer nothing for it. Nor can they
  // be asked about every name: answers may hold any byte, NUL included.
  const usable = records.filter(({ exchange }) => isAskable(exchange) && !isIpAddress(exchange));
  if (usable.length === 0) {
    const isNull = records.every((record) => record.exchange === '' || record.exchange === '.');
    return { kind: isNull ? 'null_mx' : 'no_mail_host', expiresAt };
  }
  const hosts = [...new Set(inOrder(usable, domain).map((record) => record.exchange))];
  const hasUnaskedHosts = hosts.length > hostsMax;
  return {
    kind: 'hosts',
    hosts: hosts.slice(0, hostsMax),
    isImplicit: false,
    ...(hasUnaskedHosts && { hasUnaskedHosts }),
    expiresAt,
  };
}

/**
 * By preference. Among equals the domain's name decides where to begin, so that domains spread over a provider's
 * hosts while one domain always meets the same host, where its connection and its catch-all proof are shared.
 */
function inOrder(records: MxRecord[], domain: string): MxRecord[] {
  const sorted = records.toSorted(
    (left, right) => left.preference - right.preference || (left.exchange < right.exchange ? -1 : 1),
  );
  const ordered: MxRecord[] = [];
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (end < sorted.length && sorted[end]?.preference === sorted[start]?.preference) end++;
    const first = start + (hashOf(domain) % (end - start));
    ordered.push(...sorted.slice(first, end), ...sorted.slice(start, first));
    start = end;
  }
  return ordered;
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  }
  return hash >>> 0;
}

async function findImplicitRoute(domain: string, resolver: Resolver): Promise<MailRoute> {
  const addresses = await findHostAddresses(domain, resolver);
  const { expiresAt } = addresses;
  switch (addresses.kind) {
    case 'addresses':
      return { kind: 'hosts', hosts: [domain], isImplicit: true, expiresAt };
    case 'none':
      return { kind: 'no_mail_host', expiresAt };
    default:
      return { kind: addresses.kind, expiresAt, ...(addresses.isResolverAway && awayFields) };
  }
}

export async function findHostAddresses(host: string, resolver: Resolver): Promise<HostAddresses> {
  const [ipv4, ipv6] = await Promise.all([resolver.ipv4(host), resolver.ipv6(host)]);
  const ips = [...recordsOf(ipv4), ...recordsOf(ipv6)].slice(0, ipsMax);
  const expiresAt = Math.min(ipv4.expiresAt, ipv6.expiresAt);
  if (ips.length > 0) return { kind: 'addresses', ips, expiresAt };
  const isAway = [ipv4, ipv6].some((answer) => answer.status === 'timeout' && answer.isResolverAway);
  if (isAway) return { kind: 'dns_timeout', expiresAt, isResolverAway: true };
  if (ipv4.status === 'timeout' || ipv6.status === 'timeout') return { kind: 'dns_timeout', expiresAt };
  if (ipv4.status === 'failed' || ipv6.status === 'failed') return { kind: 'dns_failed', expiresAt };
  return { kind: 'none', expiresAt };
}

const recordsOf = (answer: DnsAnswer<string>): string[] => (answer.status === 'found' ? answer.records : []);
