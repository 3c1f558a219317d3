import { expect, it } from 'vitest';
import { formatThresholds, readThresholds } from './thresholds.ts';

it.each([
  ['', []],
  ['100', [100]],
  [' 1,000; 100 ', [1_000, 100]],
  ['500 50\t5', [500, 50, 5]],
  ['100;100', [100]],
  ['1 2 3 4 5 6', null],
  ['0', null],
  ['-5', null],
  ['1.5', null],
  ['many', null],
  ['99999999999', null],
])('%j is read as %j', (text, thresholds) => {
  expect(readThresholds(text)).toEqual(thresholds);
});

it('reads what it shows', () => {
  expect(formatThresholds([12_000, 5])).toBe('12,000; 5');
  expect(readThresholds('12,000; 5')).toEqual([12_000, 5]);
});
