import type { OutcomeFile } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { columnChoices, countedKinds, keptText, understoodText } from './outcome-file-words.ts';

const file = { format: 'csv', total: 3, understood: 3, said_nothing: 0, not_readable: 0 } as OutcomeFile;

describe('keptText', () => {
  it.each([
    [{ recorded: 1_200, repeated: 0 }, '1,200 added.'],
    [{ recorded: 1, repeated: 3 }, '1 added, 3 known already.'],
    [{ recorded: 0, repeated: 3 }, '3 known already.'],
    [{ recorded: 0, repeated: 0 }, 'Nothing was added.'],
  ])('%j is %s', (counts, text) => {
    expect(keptText(counts)).toBe(text);
  });
});

describe('understoodText', () => {
  it.each<[Partial<OutcomeFile>, string]>([
    [{}, '3 rows, 3 outcomes.'],
    [{ format: 'mails', total: 1, understood: 2 }, '1 mail, 2 outcomes.'],
    [
      { understood: 1, said_nothing: 1, not_readable: 1 },
      '3 rows, 1 outcome. Left out: 1 row with nothing to keep, 1 that cannot be read.',
    ],
  ])('%j is %s', (changes, text) => {
    expect(understoodText({ ...file, ...changes })).toBe(text);
  });
});

it('names kinds and columns', () => {
  const counts = { hard: 1, soft: 2_000, delivered: 0 } as OutcomeFile['counts'];
  expect(countedKinds(counts)).toBe('Soft bounce 2,000 · Hard bounce 1');
  expect(
    columnChoices([
      ['email', ''],
      ['a@b.test', '', 'x'],
    ]),
  ).toEqual([
    { value: '1', label: '1: email' },
    { value: '2', label: 'Column 2' },
    { value: '3', label: '3: x' },
  ]);
});
