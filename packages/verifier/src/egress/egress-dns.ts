import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';

/** The questions of a health check. An empty answer means that there is no such record; a failed lookup rejects. */
export interface EgressDns {
  addresses(name: string): Promise<string[]>;
  namesOf(ip: string): Promise<string[]>;
  texts(name: string): Promise<string[]>;
  mailHosts(name: string): Promise<string[]>;
}

const attempts = { timeout: 3_000, tries: 2 };

/** Node's resolver, because the engine's own asks only for what a check of an address needs. */
export function createEgressDns(servers: readonly string[], signal?: AbortSignal): EgressDns {
  const resolver = new Resolver(attempts);
  signal?.addEventListener('abort', () => resolver.cancel(), { once: true });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    addresses: async (name) =>
      (await Promise.all([found(resolver.resolve4(name)), found(resolver.resolve6(name))])).flat(),
    // Not `reverse`, which takes any failure for a missing name, and reads the file of hosts.
    namesOf: (ip) => found(resolver.resolvePtr(`${reversed(ip)}.${isIPv6(ip) ? 'ip6' : 'in-addr'}.arpa`)),
    texts: async (name) => (await found(resolver.resolveTxt(name))).map((parts) => parts.join('')),
    mailHosts: async (name) => (await found(resolver.resolveMx(name))).map(({ exchange }) => exchange),
  };
}

async function found<Record>(answer: Promise<Record[]>): Promise<Record[]> {
  try {
    return await answer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw error;
  }
}

/** 192.0.2.1 as 1.2.0.192; an IPv6 address digit by digit (RFC 5782). */
export function reversed(address: string): string {
  if (!isIPv6(address)) return address.split('.').reverse().join('.');
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const known = [groups(head), groups(tail ?? '')];
  const missing = 8 - known.flat().length;
  const all = [...(known[0] ?? []), ...Array.from({ length: missing }, () => '0'), ...(known[1] ?? [])];
  return [...all.map((group) => group.padStart(4, '0')).join('')].reverse().join('.');
}
