const DEFAULT_TTL_SECONDS = 2_592_000;
export const SWEEP_INTERVAL_MS = 30_000;

/** The part of `localStorage` that the cache needs. */
export type CacheStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

interface CacheEntry {
  readonly value: unknown;
  /** In seconds. */
  readonly ttl: number;
  readonly expiry_date: string;
}

export interface LocalCache {
  get(key: string): unknown;
  set(key: string, value: unknown, ttlSeconds?: number): void;
  delete(key: string): void;
  /** Deletes what has expired. */
  sweep(): void;
}

const prefix = 'assay.cache.';

/** Values that this browser remembers for a while. Whatever is in it can be lost at any time without harm. */
export function createLocalCache(storage: CacheStorage, now: () => Date): LocalCache {
  const nowMs = () => now().getTime();

  const keysOfEntries = (): string[] =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter(
      (key): key is string => key?.startsWith(prefix) ?? false,
    );

  return {
    get(key) {
      const entry = readEntry(storage.getItem(prefix + key));
      if (entry === undefined || isExpired(entry, nowMs())) return undefined;
      return entry.value;
    },
    set(key, value, ttlSeconds = DEFAULT_TTL_SECONDS) {
      const expiryDate = new Date(nowMs() + ttlSeconds * 1000).toISOString();
      const entry: CacheEntry = { value, ttl: ttlSeconds, expiry_date: expiryDate };
      try {
        storage.setItem(prefix + key, JSON.stringify(entry));
      } catch {
        // The browser's room is used up, or closed to us: not remembering is all that happens.
      }
    },
    delete(key) {
      storage.removeItem(prefix + key);
    },
    sweep() {
      for (const key of keysOfEntries()) {
        const entry = readEntry(storage.getItem(key));
        if (entry === undefined || isExpired(entry, nowMs())) storage.removeItem(key);
      }
    },
  };
}

const isExpired = (entry: CacheEntry, atMs: number): boolean => Date.parse(entry.expiry_date) <= atMs;

function readEntry(text: string | null): CacheEntry | undefined {
  if (text === null) return undefined;
  try {
    const entry = JSON.parse(text) as Partial<CacheEntry>;
    return Number.isFinite(Date.parse(entry.expiry_date ?? '')) ? (entry as CacheEntry) : undefined;
  } catch {
    return undefined;
  }
}
