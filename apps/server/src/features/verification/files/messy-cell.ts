import { parseAddress } from '@assay/verifier';

/** A longer cell is not a list of addresses. */
const cellLengthMax = 4_000;

// Trimmed from the ends of a cell: spaces of every kind, control characters, and invisible characters that people copy
// from web pages and mail programs.
const invisible = /[\s\p{Cc}\p{Cf}\p{Z}]/u;
// Removed inside a cell too: soft hyphen, zero-width space, word joiner and byte-order mark. The engine refuses others, such
// as direction marks, which make an address look like another.
const nowhereUseful = /[\u00ad\u200b\u2060\ufeff]/;
const allUseless = /[\u00ad\u200b\u2060\ufeff]/g;
const someSpace = /\s+/;
const quotes = ['"', "'"];

/** Whether a cell holds a character that is removed. The engine would take some of them for letters of the address. */
export const hasUselessCharacter = (cell: string): boolean => nowhereUseful.test(cell);

/** Whether a cell holds nothing visible. */
export const isBlankCell = (cell: string): boolean => trimInvisible(cell) === '';

/**
 * Reads a cell that is not simply one address: `Jane <jane@b.test>`, `mailto:jane@b.test`, `a@b.test; c@d.test`, or an
 * address with invisible characters around it. Answers one text for each address, also for malformed ones; none for a
 * blank cell, and the whole cell when it contains no address.
 */
export function readMessyCell(cell: string): readonly string[] {
  if (cell.length > cellLengthMax) return isBlankCell(cell) ? [] : [cell];
  const text = trimInvisible(cell).replace(allUseless, '');
  if (text === '') return [];
  const meant = splitMailboxes(text).flatMap(addressesIn);
  return meant.some(isAddress) ? meant : [text];
}

const isAddress = (text: string): boolean => parseAddress(text).ok;

/** Splits at separators outside of quotes and angle brackets. */
function splitMailboxes(text: string): string[] {
  // An odd number of quotes, such as an inch mark: then quotes mean nothing.
  const hasQuotes = text.split('"').length % 2 === 1;
  const pieces: string[] = [];
  let start = 0;
  let isQuoted = false;
  let isBracketed = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '"' && hasQuotes) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '<') isBracketed = true;
    else if (character === '>') isBracketed = false;
    else if (!isBracketed && ';,\n\t'.includes(character)) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** The addresses of a piece: one, several with spaces between, or none, as in the `Doe` of `Doe, Jane <…>`. */
function addressesIn(piece: string): string[] {
  const address = withoutDecoration(piece);
  if (!address.includes('@')) return [];
  if (isAddress(address)) return [address];
  const words = address.split(someSpace).map(withoutDecoration);
  return words.length > 1 && words.every(isAddress) ? words : [address];
}

function withoutDecoration(piece: string): string {
  let text = trimInvisible(piece);
  const open = text.endsWith('>') ? text.lastIndexOf('<') : -1;
  if (open >= 0) text = trimInvisible(text.slice(open + 1, -1));
  if (text.slice(0, 7).toLowerCase() === 'mailto:') text = withoutQuery(text.slice(7));
  const isEnclosed =
    text.length > 2 && quotes.includes(text[0] as string) && text.endsWith(text[0] as string);
  return isEnclosed ? trimInvisible(text.slice(1, -1)) : text;
}

/** `jane@b.test?subject=…`: a question mark before the @ belongs to the address. */
function withoutQuery(address: string): string {
  const end = address.indexOf('?', address.indexOf('@') + 1);
  return end < 0 ? address : address.slice(0, end);
}

function trimInvisible(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && invisible.test(text[start] as string)) start += 1;
  while (end > start && invisible.test(text[end - 1] as string)) end -= 1;
  return text.slice(start, end);
}
