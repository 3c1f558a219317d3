import { COUPON_CODE_CHARACTERS_MIN } from '@assay/contract';

const charactersMax = 64;
const pattern = /^[\dA-Z]+(?:[-_][\dA-Z]+)*$/;

/** The rule for codes, shown to operators. */
export const couponCodeRule = `A code is ${COUPON_CODE_CHARACTERS_MIN} to ${charactersMax} letters and digits, with single hyphens or underscores between them.`;

/** The code as stored, or null when it cannot be a code. Customers may type lower case and spaces around it. */
export function readCouponCode(typed: string): string | null {
  const code = typed.trim().toUpperCase();
  const isCode =
    code.length >= COUPON_CODE_CHARACTERS_MIN && code.length <= charactersMax && pattern.test(code);
  return isCode ? code : null;
}
