import * as z from 'zod/mini';

export const PERSON_NAME_LENGTH = { min: 2, max: 50 } as const;

// Phones type the typographic apostrophe in O’Neill.
const nameCharacters = /^[\p{L}\p{M}\-,.'’ ]*$/u;

/** A first or last name. The screen shows these messages. */
const personNameSchema = (field: 'First name' | 'Last name') =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `${field} required`),
      z.minLength(PERSON_NAME_LENGTH.min, `${field} requires at least ${PERSON_NAME_LENGTH.min} characters`),
      z.maxLength(
        PERSON_NAME_LENGTH.max,
        `${field} requires no more than ${PERSON_NAME_LENGTH.max} characters`,
      ),
      z.regex(nameCharacters, `${field} requires valid characters`),
    );

/** The same characters for a person to guess, whose name may be a single letter or one word. */
const guessedNameSchema = (field: 'First name' | 'Last name') =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(
        PERSON_NAME_LENGTH.max,
        `${field} requires no more than ${PERSON_NAME_LENGTH.max} characters`,
      ),
      z.regex(nameCharacters, `${field} requires valid characters`),
    );

export const guessedFirstNameSchema = guessedNameSchema('First name').check(
  z.minLength(1, 'First name required'),
);
export const guessedLastNameSchema = guessedNameSchema('Last name');

export const firstNameSchema = personNameSchema('First name');
export const lastNameSchema = personNameSchema('Last name');
