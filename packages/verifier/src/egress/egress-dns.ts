import { Resolver } from 'node:dns/promises';

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
    namesOf: (ip) => found(resolver.reverse(ip)),
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
