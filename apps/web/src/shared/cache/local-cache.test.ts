import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../testing/memory-storage.ts';
import { createLocalCache, type LocalCache, SWEEP_INTERVAL_MS } from './local-cache.ts';

let storage: Storage;
let nowMs: number;
let cache: LocalCache;
const passSeconds = (seconds: number) => {
  nowMs += seconds * 1000;
};

beforeEach(() => {
  storage = createMemoryStorage();
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  cache = createLocalCache(storage, () => new Date(nowMs));
});

describe('§3 Local cache entry', () => {
  it('§3 holds value, ttl in seconds and expiry date', () => {
    cache.set('range', 'WEEK', 60);

    expect(JSON.parse(storage.getItem('assay.cache.range') ?? '')).toEqual({
      value: 'WEEK',
      ttl: 60,
      expiry_date: '2026-01-01T00:01:00.000Z',
    });
  });

  it('gives back what was set, until it is deleted', () => {
    cache.set('user', { name: 'Ada' });
    expect(cache.get('user')).toEqual({ name: 'Ada' });

    cache.delete('user');
    expect(cache.get('user')).toBeUndefined();
  });

  it('§9 lives 30 days (2,592,000 s) by default', () => {
    cache.set('range', 'WEEK');

    passSeconds(2_592_000 - 1);
    expect(cache.get('range')).toBe('WEEK');
    passSeconds(1);
    expect(cache.get('range')).toBeUndefined();
  });
});

describe('§4 the sweep', () => {
  it('§4 deletes expired entries and nothing else', () => {
    cache.set('short', 1, 10);
    cache.set('long', 2, 100);
    storage.setItem('assay.session', '{"not":"an entry"}');

    passSeconds(10);
    cache.sweep();

    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
    expect(keys.toSorted()).toEqual(['assay.cache.long', 'assay.session']);
  });

  it('deletes an entry that cannot be read', () => {
    storage.setItem('assay.cache.broken', '{');
    storage.setItem('assay.cache.undated', '{"value":1}');

    cache.sweep();

    expect(storage.length).toBe(0);
  });

  it('§9 is due every 30 s', () => {
    expect(SWEEP_INTERVAL_MS).toBe(30_000);
  });
});

it('a storage that is full or closed costs only the memory', () => {
  const full = createMemoryStorage();
  full.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const forgetful = createLocalCache(full, () => new Date(nowMs));

  forgetful.set('range', 'WEEK');

  expect(forgetful.get('range')).toBeUndefined();
});
