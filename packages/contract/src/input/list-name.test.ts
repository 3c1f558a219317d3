import { describe, expect, it } from 'vitest';
import { listNameSchema } from './list-name.ts';

const firstMessage = (name: string): string | undefined =>
  listNameSchema.safeParse(name).error?.issues[0]?.message;

describe('the name of a list', () => {
  it('§5 List name: letters, digits, underscore, hyphen, dot and space, 2 to 20 characters', () => {
    expect(listNameSchema.parse('  Été_2026-v1. final ')).toBe('Été_2026-v1. final');
    expect(listNameSchema.parse('ab')).toBe('ab');
    // The vowels of many scripts are marks.
    expect(listNameSchema.parse('ग्राहक ลูกค้า')).toBe('ग्राहक ลูกค้า');
    expect(listNameSchema.parse('Été'.normalize('NFD'))).toBe('Été'.normalize('NFC'));
    expect(listNameSchema.parse('x'.repeat(20))).toHaveLength(20);
  });

  it.each([
    ['', 'Name required'],
    ['   ', 'Name required'],
    ['a', 'Name requires at least 2 characters'],
    ['x'.repeat(21), 'Name requires no more than 20 characters'],
    [
      '\u0301\u0301',
      'File name requires valid characters (letters, numbers, hyphens, underscores, dots, and spaces)',
    ],
    ['a/b', 'File name requires valid characters (letters, numbers, hyphens, underscores, dots, and spaces)'],
  ])('§5 List name: %j is refused with %j', (name, message) => {
    expect(firstMessage(name)).toBe(message);
  });
});
