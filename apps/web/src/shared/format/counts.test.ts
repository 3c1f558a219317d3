import { describe, expect, it } from 'vitest';
import { formatCredits, formatNumber, formatShortCount } from './counts.ts';

describe('§9 counts in short form', () => {
  it.each([
    [0, '0'],
    [7, '7'],
    [999, '999'],
    [1_000, '1.0k'],
    [1_049, '1.0k'],
    [1_050, '1.1k'],
    [1_150, '1.2k'],
    [1_250, '1.3k'],
    [12_345, '12.3k'],
    [999_949, '999.9k'],
    [999_950, '1.0M'],
    [1_000_000, '1.0M'],
    [1_250_000, '1.3M'],
    [100_000_000, '100.0M'],
    [2_500_000_000, '2500.0M'],
    [-1_500, '-1.5k'],
  ])('%i is %s', (count, text) => {
    expect(formatShortCount(count)).toBe(text);
  });
});

describe('§9 credit amounts use a number formatter', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [1_234_567, '1,234,567'],
    [-250, '-250'],
  ])('%i is %s', (credits, text) => {
    expect(formatCredits(credits)).toBe(text);
  });
});

describe('other numbers', () => {
  it.each([
    [1_234.56, 0, 1, '1,234.6'],
    [12, 0, 1, '12'],
    [12, 2, 2, '12.00'],
    [0.0035, 3, 4, '0.0035'],
    [0.003, 3, 4, '0.003'],
    [999.96, 0, 1, '1,000'],
    [-1_234.5, 0, 1, '-1,234.5'],
  ])('%d with %i to %i decimals is %s', (value, decimalsMin, decimalsMax, text) => {
    expect(formatNumber(value, { decimalsMin, decimalsMax })).toBe(text);
  });
});
