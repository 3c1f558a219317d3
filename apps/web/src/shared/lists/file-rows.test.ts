import { expect, it } from 'vitest';
import { excludedWords, fileRowsOf } from './file-rows.ts';

const words = { excluded: 'Excluded emails', unusable: 'not well-formed' };

it('the list says how many rows of its file were left out, and why', () => {
  const excluded = { duplicated: 1_200, non_billable: 9, no_email: 3, suppressed: 4 };
  expect(fileRowsOf(4, excluded)).toEqual({ all: 1_213, excluded: 1_209 });
  expect(excludedWords(excluded, words)).toBe(
    'Excluded emails: 1,200 duplicated, 2 not well-formed, 3 without an email, 4 suppressed.',
  );
});

it('a list of a whole file says nothing, nor does one from before this was counted', () => {
  expect(excludedWords({ duplicated: 0, non_billable: 0 }, words)).toBeNull();
  expect(excludedWords(null, words)).toBeNull();
  expect(fileRowsOf(4, null)).toBeNull();
});
