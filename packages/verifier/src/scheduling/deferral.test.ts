import { describe, expect, it } from 'vitest';
import { deferralDelay } from './deferral.ts';

describe('the delay before asking again', () => {
  it('grows when the host names none', () => {
    const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100];
    expect(counts.map((count) => deferralDelay(count, undefined))).toEqual([
      5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000, 1_200_000, 1_200_000,
    ]);
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
