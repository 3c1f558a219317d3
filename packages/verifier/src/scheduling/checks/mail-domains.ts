import type { LikelyDomain } from '../../address/likely-domain.ts';
import type { Clock } from '../../clock.ts';
import type { OwnerDoors } from '../../conduct/owner-doors.ts';
import { findMailRoute, type MailRoute } from '../../dns/mail-route.ts';
import type { SharedResolver } from '../../dns/resolver.ts';
import { findSuggestion } from '../../dns/suggestion.ts';
import type { EvidenceStage } from '../../evidence.ts';
import { type FactStore, ignoreStoreFailure, isFresh } from '../../fact-store.ts';
import type { Provider } from '../hosts/providers.ts';
import { copyOf, type Job, MailDomain } from '../jobs/job.ts';
import { DisposableHosts, type HostKind } from './disposable-hosts.ts';

export interface DomainTraits {
  /** Sets what our lists know about a domain. */
  describe(domain: MailDomain): void;
  /** The domain that the customer probably meant; it may have no mail host. */
  suggestionFor(domain: string, hasMx: boolean): LikelyDomain | undefined;
  /** What the name of a mail host says about the domains that use it. */
  hostKindOf(host: string): HostKind;
  registrableDomainOf(name: string): string;
}

export interface DomainServices {
  resolver: SharedResolver;
  traits: DomainTraits;
  facts: FactStore;
  doors: OwnerDoors;
  /** The provider that runs a mail host. */
  providerOf(host: string): Provider;
  clock: Clock;
}

const domainsMax = 20_000;

/** The domains of the addresses under way, and where their mail goes. */
export class MailDomains {
  readonly #services: DomainServices;
  readonly #domains = new Map<string, MailDomain>();
  readonly #disposableHosts: DisposableHosts;

  constructor(services: DomainServices) {
    this.#services = services;
    this.#disposableHosts = new DisposableHosts(services);
  }

  [Symbol.iterator](): Iterator<MailDomain> {
    return this.#domains.values();
  }

  clear(): void {
    this.#domains.clear();
  }

  named(name: string): MailDomain {
    const known = this.#domains.get(name);
    if (known !== undefined) return known;
    const domain = new MailDomain(copyOf(name));
    this.#services.traits.describe(domain);
    if (this.#domains.size >= domainsMax) this.#forgetOldest();
    this.#domains.set(domain.name, domain);
    return domain;
  }

  /** Jobs under way keep a forgotten domain; the next job of that domain looks it up again. */
  #forgetOldest(): void {
    let left = domainsMax / 4;
    for (const [name, domain] of this.#domains) {
      if (left-- <= 0) return;
      if (domain.waitingForRoute === undefined && !domain.isProbed) this.#domains.delete(name);
    }
  }

  /** Finds out where the domain's mail goes, once for all jobs that ask meanwhile. */
  findRoute(job: Job, onRouted: (job: Job) => void): void {
    const { domain } = job;
    if (domain.waitingForRoute !== undefined) domain.waitingForRoute.push(job);
    else if (domain.route !== undefined && domain.route.expiresAt > this.#services.clock.now()) onRouted(job);
    else {
      domain.waitingForRoute = [job];
      void this.#lookUpRoute(domain, job.client.customer, onRouted);
    }
  }

  async #lookUpRoute(domain: MailDomain, customer: string, onRouted: (job: Job) => void): Promise<void> {
    const { traits, facts, doors, clock } = this.#services;
    const resolver = this.#services.resolver.askedBy(customer);
    const startedAt = clock.now();
    const [route, door, fact, control] = await Promise.all([
      findMailRoute(domain.name, resolver),
      doors.read(domain.name, customer, domain.door),
      ignoreStoreFailure(() => facts.findCatchAll(domain.name)),
      ignoreStoreFailure(() => facts.findControl(domain.name)),
    ]);
    const durationMs = clock.now() - startedAt;
    domain.route = route;
    domain.door = door;
    domain.pools.length = 0;
    domain.forgetBackupHosts();
    domain.suggestion = await findSuggestion(domain.name, route, { traits, resolver });
    const firstHost = domain.hostAt(0);
    if (fact !== undefined && isFresh(fact, clock)) firstHost.catchAll ??= fact;
    // Only an accepted address leads to a proof.
    firstHost.acceptedAt ??= fact?.provedAt;
    firstHost.control ??= control;
    domain.dnsStage = stageOfRoute(route, durationMs, this.#services.providerOf);
    domain.mxProvider = route.kind === 'hosts' ? this.#brandOf(route.hosts[0] as string) : undefined;
    if (route.kind === 'hosts') await this.#disposableHosts.examine(domain, route.hosts, resolver);
    const waiting = domain.waitingForRoute ?? [];
    domain.waitingForRoute = undefined;
    for (const job of waiting) onRouted(job);
  }

  #brandOf(host: string): string {
    const { name, brand = name } = this.#services.providerOf(host);
    return brand;
  }
}

function stageOfRoute(route: MailRoute, ms: number, providerOf: (host: string) => Provider): EvidenceStage {
  if (route.kind !== 'hosts') return { stage: 'dns', note: route.detail ?? route.kind, ms };
  const { limit } = providerOf(route.hosts[0] as string);
  const note = `${route.isImplicit ? 'A' : 'MX'} ${route.hosts.join(' ')}`;
  return { stage: 'dns', note, ...(limit !== undefined && { limit }), ms };
}
