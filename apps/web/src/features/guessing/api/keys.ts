/** The first parts of the query keys, so that reading and reloading name the same things. */
export const guessingKeys = {
  guesses: ['guessing', 'guesses'],
  guess: ['guessing', 'guess'],
  lists: ['guessing', 'lists'],
  list: ['guessing', 'list'],
  people: ['guessing', 'people'],
} as const;
