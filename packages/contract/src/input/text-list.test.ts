import { describe, expect, it } from 'vitest';
import { textList } from './text-list.ts';

describe('a list of texts', () => {
  const texts = textList({
    lengthMax: 1_000,
    textLengthMax: 5,
    ifEmpty: 'Send one.',
    ifTooLong: 'Send fewer.',
  });
  const issuesOf = (value: unknown) => texts.safeParse(value).error?.issues ?? [];

  it('is returned as it is', () => {
    expect(texts.parse(['a', 'bcdef'])).toEqual(['a', 'bcdef']);
  });

  it.each([
    ['no list', 'a', { code: 'invalid_type', expected: 'array', path: [] }],
    ['nothing', undefined, { code: 'invalid_type', expected: 'array', path: [] }],
    ['an empty list', [], { message: 'Send one.' }],
    ['a list that is too long', Array(1_001).fill('a'), { message: 'Send fewer.' }],
    ['an entry that is no text', ['a', 7], { code: 'invalid_type', expected: 'string', path: [1] }],
    ['a text that is too long', ['a', 'bcdefg'], { code: 'too_big', maximum: 5, path: [1] }],
  ])('refuses %s', (_, value, issue) => {
    expect(issuesOf(value)).toEqual([expect.objectContaining(issue)]);
  });

  it('stops after 500 problems', () => {
    expect(issuesOf(Array(1_000).fill(7))).toHaveLength(500);
  });
});
