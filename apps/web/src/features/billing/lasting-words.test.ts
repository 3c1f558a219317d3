import { expect, it } from 'vitest';
import { lastingWords } from './lasting-words.ts';

it.each([
  [0, null, 'Lasts until –, nothing spent in 7 days'],
  [0.1, null, 'Lasts over 10 years, at 0.1 a day, as in the last 7 days'],
  [1234.5, '2026-11-20T12:00:00Z', 'Lasts until Nov 20, 2026, at 1,234.5 a day, as in the last 7 days'],
])('%s credits a day and the date %s: %s', (credits_per_day, lasts_until, words) => {
  const { name, value, aside } = lastingWords({ days: [], credits_per_day, lasts_until });

  expect(`${name} ${value}, ${aside}`).toBe(words);
});
