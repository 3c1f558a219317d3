import { expect, it } from 'vitest';
import { actionWords, bytesText, durationText, readWhole, sentenceOf, shareText } from './operator-words.ts';

it('durations, sizes and shares are written short', () => {
  expect([0, 99, 100, 5_999, 6_000, 172_800].map(durationText)).toEqual([
    '0 s',
    '99 s',
    '2 min',
    '100 min',
    '2 h',
    '2 days',
  ]);
  expect([0, 999, 1_000, 12_345_678_901].map(bytesText)).toEqual(['0 B', '999 B', '1.0 kB', '12.3 GB']);
  expect([shareText(1, 3), shareText(0, 0)]).toEqual(['33.3%', '–']);
});

it('actions are named by what they are about', () => {
  expect(actionWords('dead_letter.retried')).toBe('Dead letter: retried');
  expect(sentenceOf('CREDIT_PACK')).toBe('Credit pack');
});

it('counts are read with and without commas, and nothing else is a count', () => {
  expect(['1', '1,000', ' 25 000 ', '1000'].map((typed) => readWhole(typed, 25_000))).toEqual([
    1, 1_000, 25_000, 1_000,
  ]);
  expect(['', '0', '-1', '1.5', '1e3', '25001', 'many'].map((typed) => readWhole(typed, 25_000))).toEqual(
    Array(7).fill(null),
  );
});
