import type { DomainTraits } from '../scheduling/checks/mail-domains.ts';
import { isDisposableDomain, isFreeProviderDomain, isOrdinaryDomain } from './address-flags.ts';
import { entriesOf } from './domain-lists.ts';
import { findKnownTypo, findLikelyDomain } from './likely-domain.ts';
import { registrableDomainOf } from './registrable-domain.ts';

/** What our lists and the public suffix list say about domains. */
export function createDomainTraits(): DomainTraits {
  return {
    describe(domain) {
      domain.isDisposable = isDisposableDomain(domain.name);
      domain.isFreeProvider = isFreeProviderDomain(domain.name);
      domain.isOrdinary = isOrdinaryDomain(domain.name);
    },
    // The search takes longer than a lookup in DNS, and a domain with an MX needs none.
    suggestionFor: (domain, hasMx) => (hasMx ? findKnownTypo(domain) : findLikelyDomain(domain)),
    hostKindOf(host) {
      const provider = registrableDomainOf(host);
      if (entriesOf('disposable_host').has(provider)) return 'disposable';
      return entriesOf('hoster').has(provider) ? 'serves_anybody' : 'unknown';
    },
    registrableDomainOf,
  };
}
