import { expect, it } from 'vitest';
import { countsText, splitTargets } from './suppression-words.ts';

it('says what a call did, without what it did not', () => {
  expect(countsText({ added: 1_200, changed: 0, unchanged: 3 })).toBe('1,200 added, 3 already there.');
  expect(countsText({ added: 0, changed: 0, unchanged: 0 })).toBe('Nothing was added.');
});

it('splits addresses and domains however they are separated', () => {
  expect(splitTargets(' a@b.test, c.test;d@e.test\n\nf.test\t')).toEqual([
    'a@b.test',
    'c.test',
    'd@e.test',
    'f.test',
  ]);
});
