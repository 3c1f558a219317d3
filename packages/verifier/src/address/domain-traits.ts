import { createRequire } from 'node:module';
import type { DomainTraits } from '../scheduling/mail-domains.ts';
import { isDisposableDomain, isFreeProviderDomain, isOrdinaryDomain } from './address-flags.ts';
import { entriesOf } from './domain-lists.ts';
import { findLikelyDomain } from './likely-domain.ts';

const require = createRequire(import.meta.url);

/** What our lists and the public suffix list say about domains. */
export function createDomainTraits(): DomainTraits {
  let getDomain: typeof import('tldts').getDomain | undefined;
  const providers = new Map<string, string>();

  return {
    describe(domain) {
      domain.isDisposable = isDisposableDomain(domain.name);
      domain.isFreeProvider = isFreeProviderDomain(domain.name);
      domain.isOrdinary = isOrdinaryDomain(domain.name);
    },
    suggestionFor: findLikelyDomain,
    hostKindOf(host) {
      const provider = registrableDomainOf(host);
      if (entriesOf('disposable_host').has(provider)) return 'disposable';
      return entriesOf('hoster').has(provider) ? 'serves_anybody' : 'unknown';
    },
    registrableDomainOf,
  };

  function registrableDomainOf(host: string): string {
    const known = providers.get(host);
    if (known !== undefined) return known;
    // Loads at the first mail host: many runs end earlier, at syntax or DNS.
    getDomain ??= (require('tldts') as typeof import('tldts')).getDomain;
    const provider = getDomain(host, { extractHostname: false }) ?? host;
    if (providers.size > 10_000) providers.clear();
    providers.set(host, provider);
    return provider;
  }
}
