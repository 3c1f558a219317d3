import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressReader } from './address-reader.ts';
import { AddressSet } from './address-set.ts';

const reader = new AddressReader();
const findOrAdd = (seen: AddressSet, address: string, row: number): number => {
  expect(reader.read(address)).toBe(true);
  return seen.findOrAdd(reader, row);
};

describe('the addresses seen in a file', () => {
  it('finds the first row of an address, like a map of addresses', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-d]{1,3}@[ab]\.test$/), { maxLength: 400 }), (addresses) => {
        const seen = new AddressSet();
        const expected = new Map<string, number>();
        addresses.forEach((address, row) => {
          expect(findOrAdd(seen, address, row)).toBe(expected.get(address) ?? -1);
          if (!expected.has(address)) expected.set(address, row);
        });
        expect(seen.size).toBe(expected.size);
      }),
    );
  });

  it('keeps a million addresses of ordinary shape apart', () => {
    const seen = new AddressSet();
    for (let row = 0; row < 1_000_000; row++) {
      reader.read(`user${row}@domain${row % 5_000}.test`);
      seen.findOrAdd(reader, row);
    }

    expect(seen.size).toBe(1_000_000);
    expect(findOrAdd(seen, 'user123456@domain3456.test', 7)).toBe(123_456);
  });
});
