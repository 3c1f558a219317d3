import { isValidPhoneNumber, parseDigits, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import * as z from 'zod/mini';
import { isPhoneMissing, PHONE_REQUIRED_TEXT } from '../names/phone-missing.ts';

const PHONE_NOT_VALID_TEXT = 'A valid phone number is required';
const DIGITS_MIN = 8;

/**
 * An international number, such as +34 600 123 456. The tables of numbering plans are large, so this has its own entry point,
 * `@assay/contract/phone`: every page loads the contract's main entry point.
 */
export const phoneSchema = z.string().check(
  z.trim(),
  z.refine((phone) => !isPhoneMissing(phone), { error: PHONE_REQUIRED_TEXT, abort: true }),
  z.refine(
    (phone) => parseDigits(phone).length >= DIGITS_MIN && isValidPhoneNumber(phone),
    PHONE_NOT_VALID_TEXT,
  ),
);

/** Converts a number that `phoneSchema` accepts to E.164. */
export const compactPhone = (phone: string): string => parsePhoneNumberFromString(phone)?.number ?? phone;

/** Formats a number in groups; returns other text unchanged. */
export const readablePhone = (phone: string): string =>
  parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
