import { parseAddress } from '@assay/verifier';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessyCell } from './messy-cell.ts';

describe('readMessyCell', () => {
  it.each([
    ['a name before it', 'Jane Doe <jane@exists.test>', ['jane@exists.test']],
    ['a name in quotes', '"Doe; Jane" <jane@exists.test>', ['jane@exists.test']],
    ['a name with a comma', 'Doe, Jane <jane@exists.test>', ['jane@exists.test']],
    ['angle brackets', '<jane@exists.test>', ['jane@exists.test']],
    ['mailto', 'mailto:jane@exists.test', ['jane@exists.test']],
    ['mailto with a subject', '<MAILTO:jane@exists.test?subject=Hi;there>', ['jane@exists.test']],
    ['quotes around it', '"jane@exists.test"', ['jane@exists.test']],
    ['single quotes around it', "'jane@exists.test'", ['jane@exists.test']],
    ['a zero-width space behind it', 'jane@exists.test\u200b', ['jane@exists.test']],
    ['a zero-width space inside', 'jane@\u200bexists.test', ['jane@exists.test']],
    ['marks of direction around it', '\u202ajane@exists.test\u202c\u200f', ['jane@exists.test']],
    ['a line break behind it', 'jane@exists.test\n', ['jane@exists.test']],
    ['two with a semicolon', 'jane@exists.test; joe@exists.test', ['jane@exists.test', 'joe@exists.test']],
    ['two with a comma', 'jane@exists.test,joe@exists.test', ['jane@exists.test', 'joe@exists.test']],
    ['two lines', 'jane@exists.test\njoe@exists.test', ['jane@exists.test', 'joe@exists.test']],
    ['two with a space', 'jane@exists.test joe@exists.test', ['jane@exists.test', 'joe@exists.test']],
    [
      'two people',
      'Jane <jane@exists.test>; "Roe, Joe" <joe@exists.test>',
      ['jane@exists.test', 'joe@exists.test'],
    ],
    ['a separator at the end', 'jane@exists.test;', ['jane@exists.test']],
    ['one that is broken beside it', 'jane@exists.test; joe@', ['jane@exists.test', 'joe@']],
    ['a Unicode domain', 'Jane <jane@bücher.test>', ['jane@bücher.test']],
  ])('finds the addresses in a cell with %s', (_what, cell, addresses) => {
    expect(readMessyCell(cell)).toEqual(addresses);
  });

  it.each(['', ' ', '\u00a0', '\u200b', '\n', '\ufeff \t', ' '.repeat(10_000)])(
    'finds nothing in %j, which is blank',
    (cell) => {
      expect(readMessyCell(cell)).toEqual([]);
    },
  );

  it.each([
    'not an address',
    'jane doe@exists.test',
    'jane@',
    'Jane <jane@>',
    'a@b@c; d@',
    'ja\u202ene@exists.test',
    'n/a',
  ])('leaves %j whole, which holds none', (cell) => {
    expect(readMessyCell(cell)).toEqual([cell]);
  });

  it('does not look into a cell that is longer than any list of addresses', () => {
    const cell = 'jane@exists.test;'.repeat(10_000);

    expect(readMessyCell(cell)).toEqual([cell]);
  });

  it('reads any text and never invents an address', () => {
    const unit = fc.constantFrom(
      'a',
      '@',
      'b.test',
      '<',
      '>',
      '"',
      "'",
      ';',
      ',',
      ' ',
      '\n',
      '\u200b',
      'mailto:',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 14 }), (parts) => {
        const cell = parts.join('');
        const found = readMessyCell(cell);
        const isSomeAddress = found.some((text) => parseAddress(text).ok);
        if (!cell.includes('@')) expect(isSomeAddress).toBe(false);
        if (found.length > 1) expect(isSomeAddress).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});
