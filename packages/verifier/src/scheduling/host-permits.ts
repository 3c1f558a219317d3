/** Where a connection goes. */
export interface MailPlace {
  /** The addresses of the mail host. */
  host: string;
  /** The name of the provider that runs the host. Many domains share one provider. */
  provider: string;
  /** How many connections the provider allows, if it says so. */
  providerConnections?: number;
}

/** A connection that is asked for. */
export interface PermitRequest {
  place: MailPlace;
  /** Whom it is for; it serves others too while it is there. */
  customer: string;
}

export interface HostPermit {
  release(): void;
}

/** The host asked another process that shares the permits to leave it alone; this much of that time is left. */
export interface HostRest {
  restMs: number;
}

/**
 * Grants connections. Limits hold per egress address, so processes behind one address should share one
 * implementation (a table with leases, say); the default one is for a single process.
 */
export interface HostPermits {
  /**
   * Answers when one connection more may be opened, or that the host rests; rejects when the signal aborts first. Tells
   * `onShort` when there is no room and the connection has to be waited for.
   */
  acquire(request: PermitRequest, signal: AbortSignal, onShort: () => void): Promise<HostPermit | HostRest>;
  /** A host asked us to slow down: all who share the permits should leave it, or all hosts of its provider, alone. */
  holdOff?(place: MailPlace, forMs: number, scope: 'host' | 'provider'): void;
  /**
   * Reports, whenever it changes, at which hosts our connections keep another process from its first one. We give those
   * up when they are idle or have served their turn.
   */
  watchWanted?(onWanted: (hosts: ReadonlySet<string>) => void): void;
}

export interface PermitLimits {
  perHost: number;
  perProvider: number;
  total: number;
}

interface Waiting {
  request: PermitRequest;
  grant: () => void;
}

/**
 * A customer has at most this part of the connections that the other customers leave, so that a new one finds room however
 * long the hosts of others stay silent.
 */
const largestCustomerPart = 3 / 4;

/** Counts connections in this process; the oldest request that has room goes first. */
export function createMemoryPermits(limits: PermitLimits): HostPermits {
  const perHost = new Map<string, number>();
  const perProvider = new Map<string, number>();
  const perCustomer = new Map<string, number>();
  let total = 0;
  const waiting = new Set<Waiting>();

  return {
    acquire(request, signal, onShort) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        if (hasRoom(request)) {
          resolve(take(request));
          return;
        }
        const onAbort = () => {
          waiting.delete(entry);
          reject(signal.reason);
        };
        const entry: Waiting = {
          request,
          grant: () => {
            signal.removeEventListener('abort', onAbort);
            resolve(take(request));
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.add(entry);
        onShort();
      });
    },
  };

  function hasRoom({ place, customer }: PermitRequest): boolean {
    const own = perCustomer.get(customer) ?? 0;
    const notOthers = limits.total - total + own;
    return (
      total < limits.total &&
      (customer === '' || own < Math.ceil(notOthers * largestCustomerPart)) &&
      (perHost.get(place.host) ?? 0) < limits.perHost &&
      (perProvider.get(place.provider) ?? 0) <
        Math.min(limits.perProvider, place.providerConnections ?? Number.POSITIVE_INFINITY)
    );
  }

  function take({ place, customer }: PermitRequest): HostPermit {
    total += 1;
    add(perHost, place.host, 1);
    add(perProvider, place.provider, 1);
    add(perCustomer, customer, 1);
    let isHeld = true;
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        total -= 1;
        add(perHost, place.host, -1);
        add(perProvider, place.provider, -1);
        add(perCustomer, customer, -1);
        admitNext();
      },
    };
  }

  function admitNext(): void {
    for (const entry of waiting) {
      if (total >= limits.total) return;
      if (!hasRoom(entry.request)) continue;
      waiting.delete(entry);
      entry.grant();
    }
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
