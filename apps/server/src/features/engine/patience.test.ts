import { describe, expect, it } from 'vitest';
import { hasPatience } from './patience.ts';

const minute = 60_000;
const since = new Date('2026-03-01T12:00:00Z');

describe('hasPatience', () => {
  it.each([
    ['single', 10 * minute],
    ['list', 240 * minute],
  ] as const)('of a %s lasts %i ms from the first time, to the moment', (kind, patienceMs) => {
    const afterMs = 5 * minute;
    const asked = (elapsedMs: number) =>
      hasPatience(kind, { now: new Date(since.getTime() + elapsedMs), since, afterMs });

    expect(asked(0)).toBe(true);
    expect(asked(patienceMs - afterMs)).toBe(true);
    expect(asked(patienceMs - afterMs + 1)).toBe(false);
  });

  it.each([
    ['single', 10 * minute],
    ['list', 240 * minute],
  ] as const)('of a %s has no use for a host that names a later time at once', (kind, patienceMs) => {
    expect(hasPatience(kind, { now: since, since, afterMs: patienceMs })).toBe(true);
    expect(hasPatience(kind, { now: since, since, afterMs: patienceMs + 1 })).toBe(false);
  });
});
