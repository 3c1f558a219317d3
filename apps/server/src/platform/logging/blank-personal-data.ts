import { shorten } from '../text-limits.ts';

/** KEY_PREFIXES, WEBHOOK_SECRET_PREFIX and FEED_SECRET_PREFIX of the contract. */
const keyShape = /(?:assay_(?:live|test|feed)|whsec)_[\w+/=-]+/g;
/** Everything between characters that separate addresses in the texts of libraries and servers. */
const word = /[^\s<>"'`(),;:=[\]]+/g;
/** Not the folder of a package, as in node_modules/@scope/name. */
const addressSign = /[^/@]@./;

/**
 * Blanks addresses, JSON web tokens, API keys, signing secrets, bearer headers and passwords in connection strings. Takes
 * time in proportion to the length of the text: every expression here reads each character a fixed number of times.
 */
export function blankPersonalData(text: string): string {
  return text
    .replace(keyShape, '[key]')
    .replace(/eyJ[\w.-]+/g, '[token]')
    .replace(/\bBearer\s+[^\s,;'"]+/gi, 'Bearer [token]')
    .replace(/(:\/\/[^\s:/@]*):[^\s@/]+@/g, '$1:[password]@')
    .replace(word, (found) => (addressSign.test(found) ? '[address]' : found));
}

/** No address is longer (RFC 5321 §4.5.3.1), so one that begins before the cut is seen whole. */
const addressLengthMax = 320;

/** The head of a foreign text, safe for the log and for an answer. */
export const shortenAndBlank = (text: string, lengthMax: number): string =>
  shorten(blankPersonalData(text.slice(0, lengthMax + addressLengthMax)), lengthMax);
