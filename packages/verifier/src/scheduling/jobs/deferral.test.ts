import { describe, expect, it } from 'vitest';
import { attemptsMax, deferralDelay } from './deferral.ts';

describe('the delay before asking again', () => {
  it('grows when the host names none', () => {
    const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100];
    expect(counts.map((count) => deferralDelay(count, undefined) / 1_000)).toEqual([
      5, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 3_600, 3_600,
    ]);
  });

  it('fits twelve attempts into four hours', () => {
    let elapsedMs = 0;
    for (let count = 1; count < attemptsMax; count++) elapsedMs += deferralDelay(count, undefined);
    expect(attemptsMax).toBe(12);
    expect(elapsedMs).toBeLessThanOrEqual(4 * 3_600_000);
  });

  it.each([
    ['is the named time and a margin at first', 1, 1_000, 1_250],
    ['is the named time later too when it is the longer', 2, 60_000, 60_250],
    ['is the usual time when the named one was too short', 2, 1_000, 15_000],
  ])('%s', (_, count, namedMs, delayMs) => {
    expect(deferralDelay(count, namedMs)).toBe(delayMs);
  });

  it.each([
    ['fits', 1, undefined, 5_000, 5_000],
    ['is cut to a last try at the end of patience', 1, undefined, 4_999, 4_999],
    ['is a last try with a second left', 1, undefined, 1_000, 1_000],
    ['has no room for a last try', 1, undefined, 999, undefined],
    ['is not cut when the host named a longer time', 1, 5_000, 5_249, undefined],
    ['fits as named', 1, 5_000, 5_250, 5_250],
  ])('within patience: %s', (_, count, namedMs, leftMs, delayMs) => {
    expect(deferralDelay(count, namedMs, leftMs)).toBe(delayMs);
  });
});
