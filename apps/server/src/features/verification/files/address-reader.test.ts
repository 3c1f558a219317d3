import { parseAddress } from '@assay/verifier';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressReader } from './address-reader.ts';

const read = (cell: string) => {
  const reader = new AddressReader();
  return reader.read(cell) ? { email: reader.email, domain: reader.domain } : null;
};
const parse = (cell: string) => {
  const parsed = parseAddress(cell);
  return parsed.ok ? { email: parsed.email, domain: parsed.domain } : null;
};
const hashOf = (cell: string) => {
  const reader = new AddressReader();
  expect(reader.read(cell)).toBe(true);
  return [reader.low, reader.high];
};

/** Made of the characters on which something turns, so that near misses are as frequent as addresses. */
const nearAddress = fc
  .array(
    fc.constantFrom('a', 'B', '7', '-', '.', '@', '+', '_', ' ', '"', 'é', '\\', '(', 'a@b.test', 'x.y'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));
const longAddress = fc
  .tuple(fc.nat(70), fc.array(fc.nat(70), { minLength: 1, maxLength: 5 }))
  .map(([local, labels]) => `${'a'.repeat(local)}@${labels.map((length) => 'b'.repeat(length)).join('.')}`);

describe('the address in a cell', () => {
  it('is the same as the engine’s', () => {
    fc.assert(
      fc.property(fc.oneof(nearAddress, longAddress, fc.emailAddress(), fc.string()), (cell) => {
        expect(read(cell)).toEqual(parse(cell));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['capitals', 'Jane.Doe@Exists.TEST'],
    ['space around', ' jane.doe@exists.test\t'],
    ['both', '\u00a0JANE.DOE@exists.test'],
  ])('is the same one with %s', (_what, cell) => {
    expect(hashOf(cell)).toEqual(hashOf('jane.doe@exists.test'));
  });

  it.each([
    '1@2.3',
    'a@b.4',
    'a@-b.test',
    'a@b-.test',
    'a.@b.test',
    '.a@b.test',
    'a@b..test',
    'a@',
    '@b',
    '',
  ])('is none in %j', (cell) => {
    expect(read(cell)).toBeNull();
  });
});
