import { expect, it } from 'vitest';
import { filesWords } from './files-words.ts';

const good = { outcome: { kind: 'valid', preview: null } } as const;
const bad = { outcome: { kind: 'failed', message: 'The file is empty.' } } as const;

it('says how many of several files become lists', () => {
  expect(filesWords([good, good])).toBe('2 files, a list for each');
  expect(filesWords([good, bad, good])).toBe('3 files, 2 lists: 1 cannot be used');
  expect(filesWords([good, bad])).toBe('2 files, 1 list: 1 cannot be used');
  expect(filesWords([bad, bad])).toBe('2 files, no lists: 2 cannot be used');
});
