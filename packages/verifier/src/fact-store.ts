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

/** How a domain answered for its postmaster: when, and in which words it refused it. */
export interface ControlFact {
  askedAt: number;
  /** The words of the refusal, without any address; missing when it was accepted. */
  words?: string;
}

type Found<T> = T | undefined | Promise<T | undefined>;

/** Remembers what was proved about domains and hosts. Give one that several processes share, and each is asked once. */
export interface FactStore {
  findCatchAll(domain: string): Found<CatchAllFact>;
  saveCatchAll(domain: string, fact: CatchAllFact): void | Promise<void>;
  findControl(domain: string): Found<ControlFact>;
  saveControl(domain: string, fact: ControlFact): void | Promise<void>;
  /** When a host last accepted some mailbox (milliseconds since 1970). */
  findAcceptance(host: string): Found<number>;
  saveAcceptance(host: string, acceptedAt: number): void | Promise<void>;
  /** When a host was last given up because it stayed silent (milliseconds since 1970). */
  findSilence(host: string): Found<number>;
  saveSilence(host: string, silentAt: number): void | Promise<void>;
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

/** Whether a control or an acceptance is young enough to confirm a refusal: a day. */
export function isRecent(time: number | undefined, clock: Clock): boolean {
  return time !== undefined && clock.now() - time < noAgeMaxMs;
}

export function createMemoryFactStore(entriesMax = 100_000): FactStore {
  const hostUses = new Map<string, Map<string, boolean>>();
  const hostsMax = Math.ceil(entriesMax / hostUsesMax);
  const catchAll = new Map<string, CatchAllFact>();
  const controls = new Map<string, ControlFact>();
  const acceptances = new Map<string, number>();
  const silences = new Map<string, number>();
  return {
    findCatchAll: (domain) => catchAll.get(domain),
    saveCatchAll: (domain, fact) => setNewest(catchAll, domain, fact, entriesMax),
    findControl: (domain) => controls.get(domain),
    saveControl: (domain, fact) => setNewest(controls, domain, fact, entriesMax),
    findAcceptance: (host) => acceptances.get(host),
    saveAcceptance: (host, fact) => setNewest(acceptances, host, fact, entriesMax),
    findSilence: (host) => silences.get(host),
    saveSilence: (host, silentAt) => setNewest(silences, host, silentAt, entriesMax),
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

/**
 * Lets the engine use a store that outlives it or is shared: such a store keeps wall time, and the engine's clock is never set.
 * The two are compared at each call, so that a corrected wall clock, or a machine that slept, corrects the facts.
 */
export function inWallTime(store: FactStore, clock: Clock): FactStore {
  const toWall = (time: number) => time - clock.now() + clock.wallNow();
  const fromWall = (time: number) => time - clock.wallNow() + clock.now();
  return {
    findCatchAll: async (domain) => {
      const fact = await store.findCatchAll(domain);
      return fact && { ...fact, provedAt: fromWall(fact.provedAt) };
    },
    saveCatchAll: (domain, fact) => store.saveCatchAll(domain, { ...fact, provedAt: toWall(fact.provedAt) }),
    findControl: async (domain) => {
      const fact = await store.findControl(domain);
      return fact && { ...fact, askedAt: fromWall(fact.askedAt) };
    },
    saveControl: (domain, fact) => store.saveControl(domain, { ...fact, askedAt: toWall(fact.askedAt) }),
    findAcceptance: async (host) => {
      const acceptedAt = await store.findAcceptance(host);
      return acceptedAt && fromWall(acceptedAt);
    },
    saveAcceptance: (host, acceptedAt) => store.saveAcceptance(host, toWall(acceptedAt)),
    findSilence: async (host) => {
      const silentAt = await store.findSilence(host);
      return silentAt && fromWall(silentAt);
    },
    saveSilence: (host, silentAt) => store.saveSilence(host, toWall(silentAt)),
    findHostUse: (host) => store.findHostUse(host),
    saveHostUse: (host, domain, isListed) => store.saveHostUse(host, domain, isListed),
  };
}

/** Makes the entry the newest and drops the oldest of too many. */
function setNewest<Value>(map: Map<string, Value>, key: string, value: Value, entriesMax: number): void {
  map.delete(key);
  const oldest = map.size >= entriesMax ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
