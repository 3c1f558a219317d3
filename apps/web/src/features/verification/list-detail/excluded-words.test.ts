import { expect, it } from 'vitest';
import { excludedWords } from './excluded-words.ts';

it('the list says what of its file was not verified, and why', () => {
  expect(excludedWords({ excluded_emails: { duplicated: 1_200, non_billable: 5, no_email: 3 } })).toBe(
    'Excluded emails: 1,200 duplicated, 2 not well-formed, 3 without an email.',
  );
});

it('a list whose file was verified whole, or is from before this was counted, says nothing', () => {
  expect(excludedWords({ excluded_emails: { duplicated: 0, non_billable: 0, no_email: 0 } })).toBeNull();
  expect(excludedWords({ excluded_emails: null })).toBeNull();
});
