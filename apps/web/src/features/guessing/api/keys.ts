import type { ListKeys } from '../../../shared/lists/list-keys.ts';

/** The first parts of the query keys, so that reading and reloading name the same things. */
export const guessingKeys = {
  guesses: ['guessing', 'guesses'],
  guess: ['guessing', 'guess'],
  lists: ['guessing', 'lists'],
  list: ['guessing', 'list'],
  people: ['guessing', 'people'],
} as const;

export const guessListKeys: ListKeys = { ...guessingKeys, rows: guessingKeys.people, counts: [] };
