import { COUPON_CODE_CHARACTERS_MIN } from '@assay/contract';

const charactersMax = 64;
const pattern = /^[\dA-Z]+(?:[-_][\dA-Z]+)*$/;

/** What a code may look like, in words for the operator who makes one. */
export const couponCodeRule = `A code is ${COUPON_CODE_CHARACTERS_MIN} to ${charactersMax} letters and digits, with single hyphens or underscores between them.`;

/** The code as it is kept, or null when there can be none like it. People type it in any case, with spaces around. */
export function readCouponCode(typed: string): string | null {
  const code = typed.trim().toUpperCase();
  const isCode =
    code.length >= COUPON_CODE_CHARACTERS_MIN && code.length <= charactersMax && pattern.test(code);
  return isCode ? code : null;
}
