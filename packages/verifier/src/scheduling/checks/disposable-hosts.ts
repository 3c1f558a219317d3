import { findHostAddresses } from '../../dns/mail-route.ts';
import type { Resolver } from '../../dns/resolver.ts';
import type { FactStore, HostUse } from '../../fact-store.ts';
import type { MailDomain } from '../jobs/job.ts';

/** Whom a mail host serves, by its name: a disposable service, customers of a hoster, or we do not know. */
export type HostKind = 'disposable' | 'serves_anybody' | 'unknown';

interface HostServices {
  readonly facts: Pick<FactStore, 'findHostUse' | 'saveHostUse'>;
  readonly traits: { hostKindOf(host: string): HostKind; registrableDomainOf(name: string): string };
}

/** Where mail goes: a name in DNS, an IP address, or both as `IP name`. */
interface Place {
  readonly key: string;
  /** How many listed domains make it a place of disposable domains. */
  readonly listedMin: number;
  /** How many listed domains each other domain there outweighs. */
  readonly otherWeight: number;
}

const hostsMax = 3;
const ipsMax = 2;

/** Listed domains there are the majority: a small hoster may have a disposable customer too. */
const hostPlace = (key: string): Place => ({ key, listedMin: 3, otherWeight: 1 });

/** Strangers share the address of a web hoster, each with an MX name of its own, so an address alone must prove more. */
const ipPlace = (key: string): Place => ({ key, listedMin: 10, otherWeight: 10 });

const isDisposablePlace = (
  { listedMin, otherWeight }: Place,
  { listedCount, otherCount }: HostUse,
): boolean => listedCount >= listedMin && listedCount >= otherWeight * otherCount;

/**
 * New disposable domains appear before any list has them, but they share mail hosts. Remembers which hosts the listed
 * domains use, by name and by IP address because some services change their MX names, and recognises others there.
 */
export class DisposableHosts {
  readonly #services: HostServices;

  constructor(services: HostServices) {
    this.#services = services;
  }

  /** Sets `isDisposable` if the domain's hosts say so, and remembers them for the next domain. */
  async examine(domain: MailDomain, hosts: readonly string[], resolver: Resolver): Promise<void> {
    if (domain.isOrdinary) return;
    const { traits, facts } = this.#services;
    const isListed = domain.isDisposable;
    const ownHosts: string[] = [];
    for (const host of hosts.slice(0, hostsMax)) {
      const kind = traits.hostKindOf(host);
      if (kind === 'disposable') domain.isDisposable = true;
      else if (kind === 'unknown') ownHosts.push(host);
    }
    const compare = async (place: Place) => {
      const use = await facts.findHostUse(place.key);
      if (use !== undefined && isDisposablePlace(place, use)) domain.isDisposable = true;
      // Most hosts serve no listed domain at all; nothing about them needs to be kept.
      if (isListed || use !== undefined) await facts.saveHostUse(place.key, domain.name, isListed);
    };
    // The flag is an extra: a store that fails must not fail the check.
    await Promise.allSettled((await this.#placesOf(ownHosts, resolver)).map(compare));
  }

  /** The hosts' names and the addresses of the first, which is the one that is asked. */
  async #placesOf(hosts: readonly string[], resolver: Resolver): Promise<Place[]> {
    const [first] = hosts;
    if (first === undefined) return [];
    const { traits } = this.#services;
    const addresses = await findHostAddresses(first, resolver);
    const ips = addresses.kind === 'addresses' ? addresses.ips.slice(0, ipsMax) : [];
    const owner = traits.registrableDomainOf(first);
    return [
      ...hosts.map(hostPlace),
      // One owner gave the address several names.
      ...ips.map((ip) => hostPlace(`${ip} ${owner}`)),
      ...ips.map(ipPlace),
    ];
  }
}
