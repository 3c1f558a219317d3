import { isValidPhoneNumber, parseDigits } from 'libphonenumber-js/min';
import * as z from 'zod/mini';

const PHONE_REQUIRED_TEXT = 'Phone number required';
const PHONE_NOT_VALID_TEXT = 'A valid phone number is required';
const DIGITS_MIN = 8;

/** A plus sign alone is what is left when somebody begins to type, and no number yet. */
export const isPhoneMissing = (phone: string): boolean => /^\s*\+?\s*$/.test(phone);

/** An international number, such as +34 600 123 456. The tables behind it are heavy: import this file lazily. */
export const phoneSchema = z.string().check(
  z.trim(),
  z.refine((phone) => !isPhoneMissing(phone), { error: PHONE_REQUIRED_TEXT, abort: true }),
  z.refine(
    (phone) => parseDigits(phone).length >= DIGITS_MIN && isValidPhoneNumber(phone),
    PHONE_NOT_VALID_TEXT,
  ),
);
