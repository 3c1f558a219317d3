/** Whose doorstep a connection stands on. */
export interface MailPlace {
  /** The pool of one mail host: its addresses. */
  host: string;
  /** Who runs the host: the registrable domain of its name. Many domains share one provider. */
  provider: string;
}

export interface HostPermit {
  release(): void;
}

/** Somebody else who shares the permits was asked by the host to leave it alone, for this much longer. */
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
  acquire(place: MailPlace, signal: AbortSignal, onShort: () => void): Promise<HostPermit | HostRest>;
  /** A host asked us to slow down: whoever shares the permits should let it rest that long. */
  holdOff?(place: MailPlace, forMs: number): void;
  /**
   * Tells, whenever it changes, at which hosts our connections keep somebody who shares the permits from a first one of
   * their own: those are then given up when they rest or have served their turn.
   */
  watchWanted?(onWanted: (hosts: ReadonlySet<string>) => void): void;
}

export interface PermitLimits {
  perHost: number;
  perProvider: number;
  total: number;
}

interface Waiting {
  place: MailPlace;
  grant: () => void;
}

/** Counts connections in this process; whoever waited longest and has room goes first. */
export function createMemoryPermits(limits: PermitLimits): HostPermits {
  const perHost = new Map<string, number>();
  const perProvider = new Map<string, number>();
  let total = 0;
  const waiting = new Set<Waiting>();

  return {
    acquire(place, signal, onShort) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        if (hasRoom(place)) {
          resolve(take(place));
          return;
        }
        const onAbort = () => {
          waiting.delete(entry);
          reject(signal.reason);
        };
        const entry: Waiting = {
          place,
          grant: () => {
            signal.removeEventListener('abort', onAbort);
            resolve(take(place));
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.add(entry);
        onShort();
      });
    },
  };

  function hasRoom(place: MailPlace): boolean {
    return (
      total < limits.total &&
      (perHost.get(place.host) ?? 0) < limits.perHost &&
      (perProvider.get(place.provider) ?? 0) < limits.perProvider
    );
  }

  function take(place: MailPlace): HostPermit {
    total += 1;
    add(perHost, place.host, 1);
    add(perProvider, place.provider, 1);
    let isHeld = true;
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        total -= 1;
        add(perHost, place.host, -1);
        add(perProvider, place.provider, -1);
        admitNext();
      },
    };
  }

  function admitNext(): void {
    for (const entry of waiting) {
      if (total >= limits.total) return;
      if (!hasRoom(entry.place)) continue;
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
