import { listNameSchema } from '@assay/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameFromFile, nameOfUnknowns } from './list-name.ts';

describe('the name of a list made of a file', () => {
  it.each([
    ['customers.csv', 'customers'],
    ['C:\\lists\\March 2026.CSV', 'March 2026'],
    ['a very long name of a file.csv', 'a very long name of'],
    ['Kontakte März 2026 (final).csv', 'Kontakte März 2026'],
    ['customers_of-every-shop-2026.csv', 'customers_of-every'],
    ['The name that has 20.csv', 'The name that has 20'],
    ['Twenty letters, whole and more.csv', 'Twenty letters whole'],
    ['A verylongwordthatgoesonandon.csv', 'A verylongwordthatgo'],
    ['[new] leads (1).csv', 'new leads 1'],
    ['ग्राहक.csv', 'ग्राहक'],
    ['ลูกค้า 2026.csv', 'ลูกค้า 2026'],
    // The heart has an invisible mark behind it.
    ['I ❤️ leads.csv', 'I leads'],
    ['.csv', 'Email list'],
    ['x.csv', 'Email list'],
  ])('%s becomes %s', (fileName, name) => {
    expect(nameFromFile(fileName)).toBe(name);
  });

  it('§5 List name: follows the rules for any file name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (fileName) => {
        expect(listNameSchema.safeParse(nameFromFile(fileName)).success).toBe(true);
      }),
    );
  });
});

it.each([
  ['customers', 'customers unknown'],
  ['A list of 20 letters', 'A list of 20 unknown'],
  ['customers unknown', 'customers unknown'],
])('names the list of the unknown rows of %j %j', (name, named) => {
  expect(nameOfUnknowns(name)).toBe(named);
});
