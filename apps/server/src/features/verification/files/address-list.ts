import { parseAddress } from '@assay/verifier';
import { formatCell } from '../../../platform/csv/write-rows.ts';
import { readMessyCell } from './messy-cell.ts';

/** A longer piece without a separator is no address; it is cut. */
const pieceLengthMax = 4_000;
const separators = new Set([...',;|\t \u00a0']);
const addressShareMin = 0.9;
/** Enough to tell, and quick to read. */
const sampleLength = 1 << 15;

/**
 * Whether a text is nothing but addresses with separators between them, several on a line, such as the recipients of a
 * message. A table of addresses in several columns without a header looks the same, and is read in the same way.
 */
export function isAddressList(text: string): boolean {
  const sample = text.slice(0, sampleLength);
  const splitter = new AddressSplitter();
  const pieces = [...splitter.push(sample), ...splitter.finish()];
  const lineCount = sample.split('\n').filter((line) => line.trim() !== '').length;
  const [first] = pieces;
  // One on a line is a table with one column, unless its names are in quotes, which no table has before an address.
  const isTable = pieces.length <= lineCount && !pieces.some(hasQuotedName);
  if (first === undefined || isTable || !isMailbox(first)) return false;
  return pieces.filter(isMailbox).length >= pieces.length * addressShareMin;
}

/** `"Doe, Jane" <jane@b.test>`. */
const hasQuotedName = (piece: string): boolean => /^"[^"]*" *<[^<>]+>$/.test(piece);

/** `jane@b.test`, or `Doe, Jane <jane@b.test>`; a separator without brackets is that of a table. */
function isMailbox(piece: string): boolean {
  if (!piece.includes('<') && /[,;|\t]/.test(piece)) return false;
  return readMessyCell(piece).every((text) => parseAddress(text).ok);
}

/** Such a text as CSV with one column, so that each address is a row. */
export async function* splitAddressList(text: AsyncIterable<string>): AsyncGenerator<string> {
  const splitter = new AddressSplitter();
  for await (const piece of text) yield linesOf(splitter.push(piece));
  yield linesOf(splitter.finish());
}

/** The same for a short text. */
export function splitWhole(text: string): string {
  const splitter = new AddressSplitter();
  return linesOf([...splitter.push(text), ...splitter.finish()]);
}

const linesOf = (pieces: readonly string[]): string =>
  pieces.map((piece) => `${formatCell(piece, ',')}\n`).join('');

/** Splits at separators and spaces behind an address, outside of quotes and angle brackets, and at line breaks. */
class AddressSplitter {
  #rest = '';

  push(text: string): string[] {
    const input = this.#rest + text;
    const pieces: string[] = [];
    let start = 0;
    let isQuoted = false;
    let isBracketed = false;
    let hasAt = false;
    const cut = (end: number, next: number): void => {
      const piece = input.slice(start, end).trim();
      if (piece !== '') pieces.push(piece);
      start = next;
      isQuoted = false;
      isBracketed = false;
      hasAt = false;
    };
    for (let at = 0; at < input.length; at++) {
      const character = input[at] as string;
      if (character === '\n' || at - start >= pieceLengthMax) cut(at, character === '\n' ? at + 1 : at);
      else if (character === '"') isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (character === '<') isBracketed = true;
      else if (character === '>') isBracketed = false;
      else if (character === '@') hasAt = true;
      else if (isBracketed) continue;
      else if (hasAt && separators.has(character)) cut(at, at + 1);
    }
    this.#rest = input.slice(start);
    return pieces;
  }

  finish(): string[] {
    const piece = this.#rest.trim();
    this.#rest = '';
    return piece === '' ? [] : [piece];
  }
}
