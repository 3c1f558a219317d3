import { type Clock, systemClock } from '../../clock.ts';

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
  /**
   * Reports the customer with the most connections, about once a second while all connections are taken and a customer without any
   * waits for one.
   */
  watchCrowding?(onCrowding: (customer: string) => void): void;
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

const crowdingReportMs = 1_000;

/**
 * Counts connections in this process. Of the requests that have room, those of customers without a connection go first, then the
 * oldest one.
 */
export function createMemoryPermits(limits: PermitLimits, clock: Clock = systemClock): HostPermits {
  const perHost = new Map<string, number>();
  const perProvider = new Map<string, number>();
  const perCustomer = new Map<string, number>();
  let total = 0;
  const waiting = new Set<Waiting>();
  let onCrowding: ((customer: string) => void) | undefined;
  let isReportDue = false;
  let stopReports = () => {};

  return {
    watchCrowding: (report) => {
      onCrowding = report;
    },
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
          reportSoon();
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
        reportSoon();
      });
    },
  };

  function hasRoom({ place, customer }: PermitRequest): boolean {
    const own = perCustomer.get(customer) ?? 0;
    const notOthers = limits.total - total + own;
    return (
      total < limits.total &&
      (customer === '' || own < Math.ceil(notOthers * largestCustomerPart)) &&
      hasRoomAtHost(place)
    );
  }

  function hasRoomAtHost({ host, provider, providerConnections }: MailPlace): boolean {
    return (
      (perHost.get(host) ?? 0) < limits.perHost &&
      (perProvider.get(provider) ?? 0) <
        Math.min(limits.perProvider, providerConnections ?? Number.POSITIVE_INFINITY)
    );
  }

  function isNewcomer({ customer }: PermitRequest): boolean {
    return customer !== '' && !perCustomer.has(customer);
  }

  /** In the next turn, because the one who gets the report closes connections. */
  function reportSoon(): void {
    if (onCrowding === undefined || isReportDue) return;
    isReportDue = true;
    setImmediate(() => {
      isReportDue = false;
      reportCrowding();
    });
  }

  function reportCrowding(): void {
    stopReports();
    for (let customer = crowdingCustomer(); customer !== undefined; customer = crowdingCustomer()) {
      const waitingBefore = waiting.size;
      onCrowding?.(customer);
      if (waiting.size < waitingBefore) continue;
      stopReports = clock.after(crowdingReportMs, reportCrowding);
      return;
    }
  }

  function crowdingCustomer(): string | undefined {
    if (total < limits.total) return undefined;
    const isWanted = [...waiting].some(({ request }) => isNewcomer(request) && hasRoomAtHost(request.place));
    let most: { customer: string; count: number } | undefined;
    for (const [customer, count] of isWanted ? perCustomer : [])
      if (customer !== '' && count > (most?.count ?? 1)) most = { customer, count };
    return most?.customer;
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
    for (const mayHaveSome of [false, true]) {
      for (const entry of waiting) {
        if (total >= limits.total) return;
        if (!(mayHaveSome || isNewcomer(entry.request)) || !hasRoom(entry.request)) continue;
        waiting.delete(entry);
        entry.grant();
      }
    }
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
