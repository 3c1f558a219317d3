import { GUESS_OUTCOMES } from '@assay/contract';
import { expect, it } from 'vitest';
import { categoriesOf, fullNameOf, outcomeLooks, outcomesOf } from './outcomes.ts';

it('every outcome has a mark of its own, which leads back to it', () => {
  const marks = GUESS_OUTCOMES.map((outcome) => outcomeLooks[outcome].verdict);

  expect(new Set(marks).size).toBe(GUESS_OUTCOMES.length);
  expect(outcomesOf(marks)).toEqual([...GUESS_OUTCOMES]);
});

it('names each count of a list', () => {
  const guess_metrics = { found: 1, catch_all: 2, not_found: 3, unknown: 4 };

  expect(categoriesOf({ guess_metrics }).map(({ label, count }) => `${label} ${count}`)).toEqual([
    ...['Found 1', 'Catch all 2', 'Not found 3', 'Unknown 4'],
  ]);
});

it('a person of one name has no space after it', () => {
  expect(fullNameOf({ first_name: 'Sukarno', last_name: '' })).toBe('Sukarno');
  expect(fullNameOf({ first_name: 'Jan', last_name: 'van der Berg' })).toBe('Jan van der Berg');
});
