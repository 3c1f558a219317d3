import { describe, expect, it } from 'vitest';
import { compactPhone, phoneSchema, readablePhone } from './phone-number.ts';

const problemOf = (phone: string) => phoneSchema.safeParse(phone).error?.issues[0]?.message;

describe('§5 Phone', () => {
  it.each(['+34600123456', '+34 600 123 456', '+1 (415) 555-2671', ' +442071838750 '])(
    'takes %s',
    (phone) => {
      expect(problemOf(phone)).toBeUndefined();
    },
  );

  it('§9 accepts 8 digits and refuses 7, although shorter numbers exist', () => {
    expect(problemOf('+500 21000')).toBeUndefined();
    expect(problemOf('+683 4002')).toBe('A valid phone number is required');
  });

  it.each(['', '  ', '+', ' + '])("'%s' is 'Phone number required'", (phone) => {
    expect(problemOf(phone)).toBe('Phone number required');
  });

  it.each(['+34600', '600123456', '+999123456789', '+34 6001234567890', 'call me', '+3545812'])(
    "'%s' is 'A valid phone number is required'",
    (phone) => {
      expect(problemOf(phone)).toBe('A valid phone number is required');
    },
  );
});

describe('writing a phone number', () => {
  it('converts every way of writing a number to E.164', () => {
    expect(['+34 600-123-456', ' +34600123456', '+34 (600) 123 456'].map(compactPhone)).toEqual(
      Array(3).fill('+34600123456'),
    );
  });

  it('formats a number in groups and leaves other text unchanged', () => {
    expect(readablePhone('+34600123456')).toBe('+34 600 12 34 56');
    expect(readablePhone('+3')).toBe('+3');
  });
});
