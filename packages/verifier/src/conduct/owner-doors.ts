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
}

/** What the owner of a domain wants of us, until it has to be asked again. */
export interface Door {
  readonly perDay: PerDay;
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
      const perDay = last?.perDay ?? known?.perDay ?? noWish;
      return { perDay, ...stopField, expiresAt: clock.now() + retryFailedMs };
    }
    const perDay = answer.status === 'found' ? readOwnerRecords(answer.records) : noWish;
    if (perDay !== (known?.perDay ?? noWish)) void ignoreStoreFailure(() => store.savePerDay(domain, perDay));
    return { perDay, ...stopField, expiresAt: answer.expiresAt };
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
  };
}
