import type { Clock } from '../clock.ts';
import type { TextResolver } from '../dns/resolver.ts';
import { ignoreStoreFailure } from '../fact-store.ts';
import { noWish, ownerRecordName, type PerDay, readOwnerRecords } from './owner-record.ts';

/** A host of the domain asked us not to ask again. */
export interface OwnerStop {
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly host: string;
  /** The whole reply. */
  readonly words: string;
}

/** What is remembered of the owner of a domain. */
export interface KnownWish {
  /** What the record said when it was last found. */
  readonly perDay?: PerDay;
  readonly stop?: OwnerStop;
}

/** Remembers what owners want, and counts the questions to those who allow some. Share one, so that all processes count together. */
export interface WishStore {
  find(domain: string): KnownWish | undefined | Promise<KnownWish | undefined>;
  /** `noWish` when the record is gone. */
  savePerDay(domain: string, perDay: PerDay): void | Promise<void>;
  saveStop(domain: string, stop: OwnerStop): void | Promise<void>;
  /** Takes up to so many of today's questions (by UTC) and returns how many were left to take. */
  take(domain: string, perDay: PerDay, count: number): number | Promise<number>;
  /** Adds questions to today's, for an owner who wants to see how many there are. */
  addAsked(domain: string, count: number): void | Promise<void>;
}

/** What the owner of a domain wants of us, until it has to be asked again. */
export interface Door {
  readonly perDay: PerDay;
  /** Questions are counted for the owner, who published a token for that. */
  readonly isCounted?: true;
  readonly stop?: OwnerStop;
  readonly expiresAt: number;
}

export interface DoorParts {
  readonly resolver: TextResolver;
  readonly store: WishStore;
  readonly clock: Clock;
}

const retryFailedMs = 60_000;

/** Looks up what owners of domains want. A lookup that fails keeps the last answer. */
export class OwnerDoors {
  readonly #parts: DoorParts;
  /** Questions that are not added yet, by domain. */
  #asked = new Map<string, number>();
  #isAdding = false;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  async read(domain: string, customer: string, last: Door | undefined): Promise<Door> {
    const { resolver, store, clock } = this.#parts;
    const [answer, kept] = await Promise.all([
      resolver.txt(ownerRecordName(domain), customer),
      ignoreStoreFailure(async () => ({ wish: await store.find(domain) })),
    ]);
    // While the store is away, what we know counts.
    const known = kept === undefined ? last : kept.wish;
    const { stop } = known ?? {};
    const stopField = stop !== undefined && stop.until > clock.wallNow() ? { stop } : {};
    if (answer.status === 'failed' || answer.status === 'timeout') {
      // Another process may have found a record since we did.
      const perDay = Math.min(last?.perDay ?? noWish, known?.perDay ?? noWish);
      const counted = last?.isCounted === true ? { isCounted: true as const } : {};
      return { perDay, ...counted, ...stopField, expiresAt: clock.now() + retryFailedMs };
    }
    const { perDay, countTokens } = readOwnerRecords(answer.status === 'found' ? answer.records : []);
    if (perDay !== (known?.perDay ?? noWish)) void ignoreStoreFailure(() => store.savePerDay(domain, perDay));
    const counted = countTokens.length > 0 ? { isCounted: true as const } : {};
    return { perDay, ...counted, ...stopField, expiresAt: answer.expiresAt };
  }

  /** Counts questions for an owner who wants to see how many there are. */
  noteAsked(domain: string, count: number): void {
    this.#asked.set(domain, (this.#asked.get(domain) ?? 0) + count);
    if (!this.#isAdding) void this.#addAsked();
  }

  /** One statement at a time, because a transaction of one host may ask a hundred times a second. */
  async #addAsked(): Promise<void> {
    this.#isAdding = true;
    // The others of this turn join.
    await new Promise(setImmediate);
    while (this.#asked.size > 0) {
      const asked = this.#asked;
      this.#asked = new Map();
      for (const [domain, count] of asked)
        await ignoreStoreFailure(async () => this.#parts.store.addAsked(domain, count));
    }
    this.#isAdding = false;
  }

  /** A host of the domain asked us not to ask again. */
  noteStop(domain: string, stop: OwnerStop): void {
    void ignoreStoreFailure(() => this.#parts.store.saveStop(domain, stop));
  }

  /** Undefined while it cannot be counted. */
  async take(domain: string, perDay: PerDay, count: number): Promise<number | undefined> {
    return await ignoreStoreFailure(() => this.#parts.store.take(domain, perDay, count));
  }
}

/** In words, why the owner of a domain is not asked; undefined if it may be. */
export function refusalOf(door: Door | undefined, domain: string): string | undefined {
  if (door?.stop !== undefined) {
    const until = new Date(door.stop.until).toISOString().slice(0, 10);
    return `${door.stop.host} asked us to stop, so we leave ${domain} alone until ${until}: ${door.stop.words}`;
  }
  return door?.perDay === 0 ? `${ownerRecordName(domain)} says: never` : undefined;
}

const dayMs = 86_400_000;
export const dayOf = (time: number): number => Math.floor(time / dayMs);

/** For a process that asks alone. */
export function createMemoryWishes(clock: Clock): WishStore {
  const wishes = new Map<string, KnownWish>();
  let day = 0;
  let askedToday = new Map<string, number>();
  return {
    find: (domain) => wishes.get(domain),
    savePerDay(domain, perDay) {
      wishes.set(domain, { ...wishes.get(domain), perDay });
    },
    saveStop(domain, stop) {
      wishes.set(domain, { ...wishes.get(domain), stop });
    },
    take(domain, perDay, count) {
      const today = dayOf(clock.wallNow());
      if (today !== day) {
        day = today;
        askedToday = new Map();
      }
      const asked = askedToday.get(domain) ?? 0;
      const taken = Math.max(0, Math.min(count, perDay - asked));
      askedToday.set(domain, asked + taken);
      return taken;
    },
    // Only the page for postmasters shows them.
    addAsked: () => undefined,
  };
}
