import * as z from 'zod/mini';

export const LIST_NAME_LENGTH = { min: 2, max: 20 } as const;

/** The name of a list. The screen shows these messages. */
export const listNameSchema = z.string().check(
  z.trim(),
  z.normalize('NFC'),
  z.minLength(1, 'Name required'),
  z.minLength(LIST_NAME_LENGTH.min, `Name requires at least ${LIST_NAME_LENGTH.min} characters`),
  z.maxLength(LIST_NAME_LENGTH.max, `Name requires no more than ${LIST_NAME_LENGTH.max} characters`),
  z.regex(
    // Marks belong to the letter before them: the vowels of Hindi and Thai, for example.
    /^(?:[\p{L}\p{N}]\p{M}*|[_\-. ])*$/u,
    'File name requires valid characters (letters, numbers, hyphens, underscores, dots, and spaces)',
  ),
);
