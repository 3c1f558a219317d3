import { isValidPhoneNumber, parseDigits, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import * as z from 'zod/mini';
import { isPhoneMissing, PHONE_REQUIRED_TEXT } from './phone-missing.ts';

const PHONE_NOT_VALID_TEXT = 'A valid phone number is required';
const DIGITS_MIN = 8;

/**
 * An international number, such as +34 600 123 456. The tables of the world's numbers behind it are heavy, so this is a
 * door of its own, `@assay/contract/phone`: the calls of the contract do not bring it into every page.
 */
export const phoneSchema = z.string().check(
  z.trim(),
  z.refine((phone) => !isPhoneMissing(phone), { error: PHONE_REQUIRED_TEXT, abort: true }),
  z.refine(
    (phone) => parseDigits(phone).length >= DIGITS_MIN && isValidPhoneNumber(phone),
    PHONE_NOT_VALID_TEXT,
  ),
);

/** One way of writing (E.164) for the many in which people write the same number. Takes what `phoneSchema` took. */
export const compactPhone = (phone: string): string => parsePhoneNumberFromString(phone)?.number ?? phone;

/** The number in groups, as it is read aloud; what is no number yet stays as it is. */
export const readablePhone = (phone: string): string =>
  parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
