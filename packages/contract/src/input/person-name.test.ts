import { describe, expect, it } from 'vitest';
import { firstNameSchema, lastNameSchema } from './person-name.ts';

const problemOf = (schema: typeof firstNameSchema, name: string) =>
  schema.safeParse(name).error?.issues[0]?.message;

describe('§5 First name, last name', () => {
  it.each(['Al', 'Zoë', 'Jean-Luc', "O'Neill", 'O’Neill', 'King, Jr.', 'María José', 'e\u0301a', '李明'])(
    'takes %s',
    (name) => {
      expect(firstNameSchema.parse(name)).toBe(name);
    },
  );

  it('takes 50 characters and trims what is around them', () => {
    expect(lastNameSchema.parse(` ${'x'.repeat(50)}  `)).toBe('x'.repeat(50));
  });

  it.each([
    ['', 'First name required', 'Last name required'],
    ['   ', 'First name required', 'Last name required'],
    ['A', 'First name requires at least 2 characters', 'Last name requires at least 2 characters'],
    [' A ', 'First name requires at least 2 characters', 'Last name requires at least 2 characters'],
    [
      'x'.repeat(51),
      'First name requires no more than 50 characters',
      'Last name requires no more than 50 characters',
    ],
    ['R2D2', 'First name requires valid characters', 'Last name requires valid characters'],
    ['a@b', 'First name requires valid characters', 'Last name requires valid characters'],
    ['<b>', 'First name requires valid characters', 'Last name requires valid characters'],
  ])('refuses %j word for word', (name, firstName, lastName) => {
    expect(problemOf(firstNameSchema, name)).toBe(firstName);
    expect(problemOf(lastNameSchema, name)).toBe(lastName);
  });
});
