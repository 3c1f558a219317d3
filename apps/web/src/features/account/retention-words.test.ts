import { describe, expect, it } from 'vitest';
import { expiredWords, isShorter } from './retention-words.ts';

const nothing = { lists: 0, list_emails: 0, singles: 0, guesses: 0 };

describe('expiredWords', () => {
  it.each([
    [nothing, 'Nothing is older than 30 days, so nothing is deleted now.'],
    [
      { ...nothing, lists: 1, list_emails: 1 },
      'Older than 30 days, and deleted within the hour: 1 list with 1 email. This cannot be undone.',
    ],
    [
      { lists: 3, list_emails: 12_400, singles: 56, guesses: 2 },
      'Older than 30 days, and deleted within the hour: 3 lists with 12,400 emails, 56 single verifications and 2 guesses. This cannot be undone.',
    ],
  ])('%j', (expired, words) => {
    expect(expiredWords(expired, 30)).toBe(words);
  });
});

it('a change deletes something only if it keeps things for a shorter time', () => {
  expect(isShorter(null, 90)).toBe(true);
  expect(isShorter(30, 7)).toBe(true);
  expect(isShorter(7, 30)).toBe(false);
  expect(isShorter(7, null)).toBe(false);
});
