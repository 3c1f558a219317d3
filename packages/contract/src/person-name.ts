import * as z from 'zod/mini';

export const PERSON_NAME_LENGTH = { min: 2, max: 50 } as const;

/** A first or last name as a person may give it; the messages are what the screen shows. */
const personNameSchema = (field: 'First name' | 'Last name') =>
  z.string().check(
    z.trim(),
    z.minLength(1, `${field} required`),
    z.minLength(PERSON_NAME_LENGTH.min, `${field} requires at least ${PERSON_NAME_LENGTH.min} characters`),
    z.maxLength(
      PERSON_NAME_LENGTH.max,
      `${field} requires no more than ${PERSON_NAME_LENGTH.max} characters`,
    ),
    // The typographic apostrophe is what telephones put into O’Neill.
    z.regex(/^[\p{L}\p{M}\-,.'’ ]*$/u, `${field} requires valid characters`),
  );

export const firstNameSchema = personNameSchema('First name');
export const lastNameSchema = personNameSchema('Last name');
