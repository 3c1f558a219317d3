// What makes a spreadsheet run a cell, by its first character. Line breaks and the full-width forms are on the list because
// some programs drop the break, or read the wide sign as the plain one.
const starters = new Set([...'=+-@\t\r\n', ...'＝＋－＠'].map((character) => character.charCodeAt(0)));
const apostrophe = 0x27;
// Google Sheets, LibreOffice and converters to XLSX drop space in front before they look for a formula.
const spaces = new Set([...' \u00a0\u3000\ufeff'].map((character) => character.charCodeAt(0)));
const plainNumberLengthMax = 40;
const insideNumbers = new Set([...'0123456789 .,()-/\u00a0\u202f']);
const exponentNumber = /^[+-]\d{1,30}(?:[.,]\d{1,30})?[eE][+-]?\d{1,4}$/;

/**
 * Makes a cell text where a spreadsheet would run it, by an apostrophe in front. A cell that has apostrophes in front of a
 * formula already gets one more, so that `restoreFormula` always gives back what the cell was.
 */
export const neutraliseFormula = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell);

/** Takes the apostrophe away that `neutraliseFormula` put there; other apostrophes stay. */
export const restoreFormula = (cell: string): string =>
  cell.charCodeAt(0) === apostrophe && isFormula(cell.slice(1)) ? cell.slice(1) : cell;

/** Whether `neutraliseFormula` would change the cell. */
export function isFormula(cell: string): boolean {
  let start = 0;
  while (cell.charCodeAt(start) === apostrophe) start += 1;
  while (spaces.has(cell.charCodeAt(start))) start += 1;
  return starters.has(cell.charCodeAt(start)) && !isPlainNumber(start === 0 ? cell : cell.slice(start));
}

/** A signed number or a telephone number: -12.50, +41 44 668 18 00, +1 (555) 010-0100, -1.5e-7. */
function isPlainNumber(cell: string): boolean {
  if (cell.length > plainNumberLengthMax) return false;
  if (cell[0] !== '+' && cell[0] !== '-') return false;
  if (exponentNumber.test(cell)) return true;
  const end = cell.endsWith('%') ? cell.length - 1 : cell.length;
  let digitCount = 0;
  for (let at = 1; at < end; at++) {
    const character = cell[at] as string;
    if (!insideNumbers.has(character)) return false;
    if (character >= '0' && character <= '9') digitCount += 1;
  }
  return digitCount > 0;
}
