import type { Clock } from './clock.ts';

/** Whether a domain takes mail for any name, and when that was proved (milliseconds since 1970). */
export interface CatchAllFact {
  isCatchAll: boolean;
  provedAt: number;
}

/** How many domains were seen at a mail host: those that our lists call disposable, and others. */
export interface HostUse {
  listedCount: number;
  otherCount: number;
}

/** Remembers what was proved about domains. Give one that several processes share, and each domain is asked once. */
export interface FactStore {
  findCatchAll(domain: string): CatchAllFact | undefined | Promise<CatchAllFact | undefined>;
  saveCatchAll(domain: string, fact: CatchAllFact): void | Promise<void>;
  /** `host` is the name of a mail host or one of its IP addresses. */
  findHostUse(host: string): HostUse | undefined | Promise<HostUse | undefined>;
  saveHostUse(host: string, domain: string, isListed: boolean): void | Promise<void>;
}

/** A failing store costs another probe and nothing else: calls it, and returns nothing if it fails. */
export async function ignoreStoreFailure<T>(call: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}

/** A store keeps no more domains than this for a mail host. */
export const hostUsesMax = 100;

// A host that takes everything rarely stops; one that refused may have opened up, or lied for a day (Yahoo in 2020).
const yesAgeMaxMs = 7 * 86_400_000;
const noAgeMaxMs = 86_400_000;

/** Whether a fact is young enough to be used. */
export function isFresh(fact: CatchAllFact, clock: Clock): boolean {
  return clock.now() - fact.provedAt < (fact.isCatchAll ? yesAgeMaxMs : noAgeMaxMs);
}

export function createMemoryFactStore(entriesMax = 100_000): FactStore {
  const facts = new Map<string, CatchAllFact>();
  const hostUses = new Map<string, Map<string, boolean>>();
  const hostsMax = Math.ceil(entriesMax / hostUsesMax);
  return {
    findCatchAll: (domain) => facts.get(domain),
    saveCatchAll: (domain, fact) => setNewest(facts, domain, fact, entriesMax),
    findHostUse(host) {
      const uses = hostUses.get(host);
      if (uses === undefined) return undefined;
      const listedCount = [...uses.values()].filter(Boolean).length;
      return { listedCount, otherCount: uses.size - listedCount };
    },
    saveHostUse(host, domain, isListed) {
      const uses = hostUses.get(host) ?? new Map<string, boolean>();
      if (uses.has(domain) || uses.size < hostUsesMax) uses.set(domain, isListed);
      setNewest(hostUses, host, uses, hostsMax);
    },
  };
}

/** Makes the entry the newest and drops the oldest of too many. */
function setNewest<Value>(map: Map<string, Value>, key: string, value: Value, entriesMax: number): void {
  map.delete(key);
  const oldest = map.size >= entriesMax ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
