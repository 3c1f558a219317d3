import { describe, expect, it } from 'vitest';
import { couponCodeRule, readCouponCode } from './coupon-code.ts';

describe('readCouponCode', () => {
  it.each([
    ['WELCOME-500', 'WELCOME-500'],
    ['  welcome_500 ', 'WELCOME_500'],
    ['abcde', 'ABCDE'],
    ['A-B_C-1', 'A-B_C-1'],
    ['9'.repeat(64), '9'.repeat(64)],
  ])('%j is the code %j', (typed, code) => {
    expect(readCouponCode(typed)).toBe(code);
  });

  it.each([
    'ABCD',
    'A'.repeat(65),
    '-ABCDE',
    'ABCDE-',
    'AB--CDE',
    'AB CDE',
    'ÄBCDE',
    'ABC.DE',
    'ABCDE\nFGHIJ!',
    '!ABCDE',
  ])('%j is no code', (typed) => {
    expect(readCouponCode(typed)).toBeNull();
  });

  it('has a rule in words for operators', () => {
    expect(couponCodeRule).toBe(
      'A code is 5 to 64 letters and digits, with single hyphens or underscores between them.',
    );
  });
});
