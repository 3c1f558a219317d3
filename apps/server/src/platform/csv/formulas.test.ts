import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutraliseFormula, restoreFormula } from './formulas.ts';

describe('cells that a spreadsheet would run', () => {
  it.each([
    '=1+1',
    '=HYPERLINK("http://exists.test","x")',
    "=cmd|' /C calc'!A0",
    '+1+cmd|x!A1',
    '-2+3+cmd|x!A1',
    '@SUM(A1:A2)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1+1',
    '-',
    '+',
    '-jane@exists.test',
    '-1=1',
    `+${'1'.repeat(60)}`,
    ' =1',
    '\u00a0\u3000＝1',
    ' \t=1',
  ])('%j gets an apostrophe in front', (cell) => {
    expect(neutraliseFormula(cell)).toBe(`'${cell}`);
  });

  it.each([
    '-5',
    '+5.25',
    '-1,234.50',
    '-5%',
    '-1.5e-7',
    '+1E5',
    '+41 44 668 18 00',
    '+1 (555) 010-0100',
    '+41\u00a044\u00a0668',
    '-(12)',
    '5',
    'jane@exists.test',
    'a=b',
    "O'Neil",
    "'hello'",
    '',
    ' ',
    ' -5',
    ' a=b',
  ])('%j stays as it is', (cell) => {
    expect(neutraliseFormula(cell)).toBe(cell);
    expect(restoreFormula(cell)).toBe(cell);
  });

  it('come back exactly, whatever they are, those with apostrophes of their own too', () => {
    const unit = fc.constantFrom("'", '=', '+', '-', '@', '\t', '\n', '5', 'a', ' ', '.', 'e', '＝', '(');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit, maxLength: 8 }), fc.string()), (cell) => {
        expect(restoreFormula(neutraliseFormula(cell))).toBe(cell);
      }),
      { numRuns: 5_000 },
    );
  });
});
