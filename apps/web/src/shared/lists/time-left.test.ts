import { describe, expect, it } from 'vitest';
import { estimateMsLeft, type ProgressSample, timeLeftWords, withSample } from './time-left.ts';

const samplesOf = (...samples: [seconds: number, progress: number][]): readonly ProgressSample[] =>
  samples.reduce<readonly ProgressSample[]>(
    (known, [seconds, progress]) => withSample(known, { atMs: seconds * 1_000, progress }),
    [],
  );
const now = new Date('2026-11-16T12:00:00Z');
const waitUntil = (seconds: number) => ({
  host: 'mx.test',
  cause: 'mail_host' as const,
  until: new Date(now.getTime() + seconds * 1_000).toISOString(),
  count: 1,
});

describe('the time that is left of a list', () => {
  it('is not known before there is enough to say', () => {
    expect(estimateMsLeft([])).toBeNull();
    expect(estimateMsLeft(samplesOf([0, 0], [5, 40]))).toBeNull();
    expect(estimateMsLeft(samplesOf([0, 10], [30, 10.2]))).toBeNull();
  });

  it('follows the rate of the last minute', () => {
    expect(estimateMsLeft(samplesOf([0, 0], [10, 10]))).toBe(90_000);
    // Slow at first: what is older than a minute does not count.
    expect(estimateMsLeft(samplesOf([0, 0], [600, 1], [630, 26], [660, 51]))).toBeCloseTo(58_800);
  });

  it.each([
    [null, [], null],
    [20_000, [], 'Less than a minute left'],
    [61_000, [], 'About 1 minute left'],
    [300_000, [], 'About 5 minutes left'],
    [7_300_000, [], 'About 2 hours left'],
    [null, [waitUntil(20)], null],
    [null, [waitUntil(20), waitUntil(600)], 'At least 10 minutes left'],
    [1_200_000, [waitUntil(600)], 'At least 20 minutes left'],
  ])('%j with waits %j reads %j', (msLeft, waiting, words) => {
    expect(timeLeftWords(msLeft, waiting, now)).toBe(words);
  });
});
