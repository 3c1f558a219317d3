import { getDomain } from 'tldts';
import { systemClock } from '../src/clock.ts';
import { findMailRoute } from '../src/dns/mail-route.ts';
import { createResolver } from '../src/dns/resolver.ts';

export interface HostSearch {
  readonly domains: readonly string[];
  /** How many of the domains to look up, spread over the list. */
  readonly sampleCount: number;
  readonly dns: string;
  /** Registrable domains of mail hosts that serve anybody. */
  readonly hosters: ReadonlySet<string>;
}

const lookupsAtATime = 50;
const domainsMin = 5;

/** Registrable domains of MX names that several disposable domains share. */
export async function findSharedHosts({ domains, sampleCount, dns, hosters }: HostSearch): Promise<string[]> {
  const resolver = createResolver({ servers: [dns], clock: systemClock, timeoutMs: 10_000 });
  const step = Math.max(1, Math.floor(domains.length / sampleCount));
  const sample = domains.filter((_, index) => index % step === 0);
  const usesByHost = new Map<string, number>();
  const pending = sample.values();
  const lookUp = async () => {
    for (const domain of pending) {
      const route = await findMailRoute(domain, resolver);
      if (route.kind !== 'hosts' || route.isImplicit) continue;
      for (const host of new Set(route.hosts.map((name) => getDomain(name)))) {
        if (host !== null && host !== domain) usesByHost.set(host, (usesByHost.get(host) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: lookupsAtATime }, lookUp));
  resolver.close();
  return [...usesByHost]
    .filter(([host, uses]) => uses >= domainsMin && !hosters.has(host))
    .map(([host]) => host);
}
