import type { SilentConnection } from './host-connections.ts';
import { HostPool } from './host-pool.ts';
import type { HostPause, NeighbourPool, PoolNeighbours, PoolServices } from './pool-services.ts';
import type { Provider } from './providers.ts';

const poolsMax = 5_000;
/** A host that was silent for less may be about to answer. */
const silenceMinMs = 2_000;

export interface HostPoolsOptions {
  services: Omit<PoolServices, 'neighbours'>;
  /** Whether more addresses may come soon, so that idle connections are worth keeping. */
  mayRest(): boolean;
  providerOf(host: string): Provider;
}

/** The pools of all mail hosts, and what they owe each other when connections are short. */
export class HostPools implements PoolNeighbours {
  readonly #options: HostPoolsOptions;
  readonly #services: PoolServices;
  readonly #pools = new Map<string, HostPool>();
  /** Pools that have no connection and wait for a permit. */
  readonly #starving = new Set<NeighbourPool>();
  /** Hosts at which another process that shares our permits waits for a connection. */
  #wantedHosts: ReadonlySet<string> = new Set();
  /** The rests of providers, by name; they hold for hosts that we meet later too. */
  readonly #providerRests = new Map<string, HostPause>();
  /** Pools with a few addresses that wait for more. */
  readonly #heldBack = new Set<NeighbourPool>();
  #onAllGone: (() => void) | undefined;

  constructor(options: HostPoolsOptions) {
    this.#options = options;
    this.#services = { ...options.services, neighbours: this };
    options.services.permits.watchWanted?.((hosts) => {
      this.#wantedHosts = hosts;
      for (const pool of this.#pools.values()) if (hosts.has(pool.place.host)) pool.closeIdle();
    });
    options.services.permits.watchCrowding?.((customer) => this.#closeLongestSilent(customer));
  }

  /**
   * One pool per set of addresses: many names may lead to one host, and its limits hold for all of them. A provider with
   * published limits has pools of its own, because anybody may give its addresses another name.
   */
  poolOf(host: string, ips: readonly string[]): HostPool {
    const addresses = ips.toSorted().join(' ');
    const provider = this.#options.providerOf(host);
    const key = provider.restAfter === undefined ? addresses : `${provider.name} ${addresses}`;
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    if (this.#pools.size >= poolsMax) this.#forgetQuiet();
    const pool = new HostPool(host, ips, addresses, provider, this.#services);
    this.#pools.set(key, pool);
    const rest = this.#providerRests.get(provider.name);
    if (rest !== undefined) pool.rest(rest);
    return pool;
  }

  onProviderRests(provider: string, rest: HostPause): void {
    this.#providerRests.set(provider, rest);
    for (const pool of this.#pools.values()) if (pool.place.provider === provider) pool.rest(rest);
  }

  /** A customer without a connection gets that of the most silent host of this customer, who has the most. */
  #closeLongestSilent(customer: string): void {
    let longest: (SilentConnection & { readonly pool: HostPool }) | undefined;
    for (const pool of this.#pools.values()) {
      const silent = pool.longestSilent(customer);
      if (silent !== undefined && silent.since < (longest?.since ?? Number.POSITIVE_INFINITY))
        longest = { ...silent, pool };
    }
    if (longest === undefined || this.#services.clock.now() - longest.since < silenceMinMs) return;
    longest.pool.closeSilent(longest.session, customer);
  }

  #forgetQuiet(): void {
    for (const [key, pool] of this.#pools) if (pool.isForgettable) this.#pools.delete(key);
    const providers = this.#pools.values().map(({ place }) => place.provider);
    this.#services.governor.keepOnly(new Set(providers));
  }

  dropCancelled(): void {
    for (const pool of this.#pools.values()) pool.dropCancelled();
  }

  onHeldBack(pool: NeighbourPool): void {
    this.#heldBack.add(pool);
  }

  /** No more addresses arrive for now: the pools that waited for them ask about those they have. */
  onFilled(): void {
    for (const pool of this.#heldBack) pool.pumpSoon();
    this.#heldBack.clear();
  }

  closeIdle(): void {
    for (const pool of this.#pools.values()) pool.closeIdle();
  }

  /** Drops every connection at once. */
  abort(): void {
    for (const pool of this.#pools.values()) pool.abort();
    this.#pools.clear();
  }

  /** Quits every connection; resolves when the last one is gone. */
  close(): Promise<void> {
    for (const pool of this.#pools.values()) pool.close();
    return new Promise((resolve) => {
      this.#onAllGone = resolve;
      this.onConnectionGone();
    });
  }

  onConnectionGone(): void {
    if (this.#onAllGone === undefined) return;
    for (const pool of this.#pools.values()) if (pool.connectionCount > 0) return;
    this.#onAllGone();
  }

  /** Only a host without any connection takes one from another. */
  onShortOfPermits(pool: NeighbourPool, isShort: boolean): void {
    if (!isShort || pool.connectionCount > 0) {
      this.#starving.delete(pool);
      return;
    }
    this.#starving.add(pool);
    for (const other of this.#pools.values()) if (other !== pool) other.closeIdle();
  }

  isCrowded(pool: NeighbourPool): boolean {
    const othersStarve = this.#starving.size > (this.#starving.has(pool) ? 1 : 0);
    return othersStarve || this.#wantedHosts.has(pool.place.host);
  }

  mayRest(pool: NeighbourPool): boolean {
    return !this.isCrowded(pool) && this.#options.mayRest();
  }
}
