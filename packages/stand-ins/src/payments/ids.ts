import { randomBytes, randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** An id as the API writes it: `cus_` and fourteen letters or digits, or another prefix. */
export const newId = (prefix: string): string => `${prefix}_${randomText(prefix === 'cus' ? 14 : 24)}`;

/** The holder of this token may open a hosted page, so it must be impossible to guess. */
export const newPageToken = (): string => randomBytes(24).toString('base64url');

/** The letters that a customer's invoice numbers begin with. */
export const newInvoicePrefix = (): string => randomText(8).toUpperCase();
