import { type AddressFlags, listedFlagsOf, noFlags } from './address/address-flags.ts';
import { createDomainTraits } from './address/domain-traits.ts';
import { parseAddress } from './address/parse-address.ts';
import { type Clock, systemClock } from './clock.ts';
import { ownerRecordName, readOwnerRecords } from './conduct/owner-record.ts';
import { findMailRoute } from './dns/mail-route.ts';
import { createResolver } from './dns/resolver.ts';
import { findSuggestion } from './dns/suggestion.ts';
import { createProviderFinder, publishedProviders } from './scheduling/hosts/providers.ts';

/** What DNS and our lists say about an address. Nobody asked its mail host. */
export interface Screening {
  /** `none`: no host takes mail for the domain, or the address is malformed. */
  readonly mailHost: 'found' | 'none' | 'not_looked_up';
  readonly flags: AddressFlags;
  /** The domain that was probably meant, where that domain has a mail host. */
  readonly meantDomain?: string;
  /** Who takes the mail, if limits of that provider are published. */
  readonly provider?: ScreenedProvider;
}

export interface ScreenedProvider {
  /** As bills name it. */
  readonly name: string;
  /** As customers know it: without the region. */
  readonly brand: string;
}

export interface ScreenerOptions {
  /** Name servers as `host` or `host:port`; the system's by default. */
  readonly dns?: readonly string[];
  /** For one question to DNS, retries included. */
  readonly timeoutMs: number;
  readonly clock?: Clock;
}

export interface Screener {
  screen(email: string): Promise<Screening>;
  /** Tokens of the page for postmasters that a domain publishes; undefined if it could not be looked up. */
  countTokensOf(domain: string): Promise<readonly string[] | undefined>;
  /** Ends lookups under way; those addresses count as not looked up. */
  close(): void;
}

/** Judges addresses without connecting to mail hosts. */
export function createScreener({ dns = [], timeoutMs, clock = systemClock }: ScreenerOptions): Screener {
  const resolver = createResolver({ servers: dns, clock, timeoutMs });
  const traits = createDomainTraits();
  const providerOf = createProviderFinder(publishedProviders, traits.registrableDomainOf);
  const publishedOf = (host: string | undefined): ScreenedProvider | undefined => {
    if (host === undefined) return undefined;
    const { name, brand = name, restAfter } = providerOf(host);
    return restAfter === undefined ? undefined : { name, brand };
  };
  return {
    async screen(email) {
      const address = parseAddress(email);
      if (!address.ok) return { mailHost: 'none', flags: noFlags };
      const route = await findMailRoute(address.domain, resolver);
      const flags = listedFlagsOf(address);
      if (route.kind === 'dns_failed' || route.kind === 'dns_timeout')
        return { mailHost: 'not_looked_up', flags };
      const meantDomain = await findSuggestion(address.domain, route, { traits, resolver });
      const mailHost = route.kind === 'hosts' ? 'found' : 'none';
      const provider = route.kind === 'hosts' ? publishedOf(route.hosts[0]) : undefined;
      return {
        mailHost,
        flags,
        ...(meantDomain !== undefined && { meantDomain }),
        ...(provider !== undefined && { provider }),
      };
    },
    async countTokensOf(domain) {
      // With a cache of its own: its owner may have published the record a moment ago.
      const fresh = createResolver({ servers: dns, clock, timeoutMs });
      const answer = await fresh.txt(ownerRecordName(domain), '').finally(() => fresh.close());
      if (answer.status === 'failed' || answer.status === 'timeout') return undefined;
      return readOwnerRecords(answer.status === 'found' ? answer.records : []).countTokens;
    },
    close: () => resolver.close(),
  };
}
