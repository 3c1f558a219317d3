// Hebrew, Arabic, Syriac, Thaana, N'Ko and the other scripts that are written from right to left. The last four are the first halves of
// letters outside the basic plane.
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/;

/**
 * A customer's words for the middle of our sentence. A name that is written from right to left is isolated: otherwise it would
 * carry the digits and signs around it to its other side.
 */
export const isolated = (name: string): string => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name);
