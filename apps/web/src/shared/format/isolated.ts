// Hebrew, Arabic, Syriac, Thaana, N'Ko and the other scripts that are written from right to left.
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A customer's words for the middle of our sentence. A name that is written from right to left is isolated: otherwise it would
 * carry the digits and signs around it to its other side.
 */
export const isolated = (name: string): string => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name);
