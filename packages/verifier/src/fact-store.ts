import type { Clock } from './clock.ts';

/** Whether a domain takes mail for any name, and when that was proved (milliseconds since 1970). */
export interface CatchAllFact {
  isCatchAll: boolean;
  provedAt: number;
}

/** Remembers what was proved about domains. Give one that several processes share, and each domain is asked once. */
export interface FactStore {
  findCatchAll(domain: string): CatchAllFact | undefined | Promise<CatchAllFact | undefined>;
  saveCatchAll(domain: string, fact: CatchAllFact): void | Promise<void>;
}

/** A failing store costs another probe and nothing else: calls it, and returns nothing if it fails. */
export async function ignoreStoreFailure<T>(call: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}

// A host that takes everything rarely stops; one that refused may have opened up, or lied for a day (Yahoo in 2020).
const yesAgeMaxMs = 7 * 86_400_000;
const noAgeMaxMs = 86_400_000;

/** Whether a fact is young enough to be used. */
export function isFresh(fact: CatchAllFact, clock: Clock): boolean {
  return clock.now() - fact.provedAt < (fact.isCatchAll ? yesAgeMaxMs : noAgeMaxMs);
}

export function createMemoryFactStore(entriesMax = 100_000): FactStore {
  const facts = new Map<string, CatchAllFact>();
  return {
    findCatchAll: (domain) => facts.get(domain),
    saveCatchAll(domain, fact) {
      facts.delete(domain);
      const oldest = facts.size >= entriesMax ? facts.keys().next().value : undefined;
      if (oldest !== undefined) facts.delete(oldest);
      facts.set(domain, fact);
    },
  };
}
