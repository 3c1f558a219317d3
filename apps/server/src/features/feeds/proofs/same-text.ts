import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares secrets without telling by the time it takes how much of them is right. */
export const isSameText = (left: string, right: string): boolean =>
  timingSafeEqual(digest(left), digest(right));

/** The bytes of a text in base64; undefined for other writings of the same bytes, so that a signature has one form only. */
export function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined;
}
