import { expect, it } from 'vitest';
import { formatShortCount } from '../format/counts.ts';
import { percentPrepared, preparingWords } from './preparation-words.ts';

const preparing = (copied_rows: number) => ({
  preparation: { copied_rows, total_rows: 1_000_000, problem: null },
});

it('says how many rows of the file are copied', () => {
  expect(preparingWords(preparing(12_345))).toBe('Preparing… 12,345 of 1,000,000');
  const uncounted = { preparation: { copied_rows: 0, total_rows: 0, problem: null } };
  expect(preparingWords(uncounted)).toBe('Reading the file…');
  expect(preparingWords(preparing(12_345), formatShortCount)).toBe('Preparing… 12.3k of 1.0M');
  expect([0, 9_999, 999_999, 1_000_000].map((rows) => percentPrepared(preparing(rows)))).toEqual([
    0, 0, 99, 100,
  ]);
});

it('says nothing about a list whose rows are there, or could not be copied', () => {
  const problem = { code: 'upload_not_found', message: 'Send the file again.' };
  expect(preparingWords({ preparation: null })).toBeNull();
  expect(preparingWords({ preparation: { copied_rows: 0, total_rows: 3, problem } })).toBeNull();
  expect(percentPrepared({ preparation: null })).toBe(0);
  expect(percentPrepared({ preparation: { copied_rows: 0, total_rows: 0, problem: null } })).toBe(0);
});
