import { parseAddress } from '@assay/verifier';
import { finishHigh, finishLow, hashText, mixHigh, mixLow, seeds } from './address-hash.ts';
import type { AddressHash } from './address-set.ts';
import { hasUselessCharacter } from './messy-cell.ts';

const localMax = 64;
const addressMax = 254;
const labelMax = 63;
const at = 0x40;
const dot = 0x2e;
const hyphen = 0x2d;

// Maps a character code to the code in lower case, or to 0 where the character is not allowed in a local part or a domain.
// Dots and hyphens have rules of their own.
const inLocal = new Uint8Array(128);
const inDomain = new Uint8Array(128);
for (const character of "!#$%&'*+/=?^_`{|}~-.") inLocal[character.charCodeAt(0)] = character.charCodeAt(0);
for (const character of '-.') inDomain[character.charCodeAt(0)] = character.charCodeAt(0);
for (const character of '0123456789abcdefghijklmnopqrstuvwxyz') {
  const lower = character.charCodeAt(0);
  for (const code of [lower, character.toUpperCase().charCodeAt(0)]) {
    inLocal[code] = lower;
    inDomain[code] = lower;
  }
}
const isLetter = (lower: number): boolean => lower >= 0x61 && lower <= 0x7a;

/**
 * Reads the address in a cell and hashes it in lower case. Nearly all addresses are plain: one pass reads those without
 * creating an object or a string, because a file has millions of them. The engine's parser reads all others. Every plain
 * address is also an address for the engine.
 */
export class AddressReader implements AddressHash {
  low = 0;
  high = 0;
  /** As it was written. */
  email = '';
  /** Where the domain of a plain address begins, or the domain itself. */
  #domain: number | string = 0;
  /** Null for a plain address, whose parts are in the email. */
  #mailbox: string | null = null;

  /** Whether the cell holds an address; the fields then describe it. */
  read(cell: string): boolean {
    if (this.#readPlain(cell)) {
      this.email = cell;
      this.#mailbox = null;
      return true;
    }
    if (hasUselessCharacter(cell)) return false;
    const parsed = parseAddress(cell);
    if (!parsed.ok) return false;
    // With the domain in A-labels, so that both spellings of a domain give one address.
    this.#mailbox = parsed.mailbox.toLowerCase();
    const { low, high } = hashText(this.#mailbox);
    this.low = low;
    this.high = high;
    this.email = parsed.email;
    this.#domain = parsed.domain;
    return true;
  }

  /** The domain of the address, in lower case. */
  get domain(): string {
    return typeof this.#domain === 'string' ? this.#domain : this.email.slice(this.#domain).toLowerCase();
  }

  /** The address as it is compared and hashed. */
  get normal(): string {
    return this.#mailbox ?? this.email.toLowerCase();
  }

  #readPlain(cell: string): boolean {
    const { length } = cell;
    if (length > addressMax) return false;
    let low: number = seeds.low;
    let high: number = seeds.high;
    let index = 0;
    let previous = dot;
    for (; index < length; index++) {
      const code = cell.charCodeAt(index);
      if (code === at) break;
      // Codes beyond the table give undefined, which counts as 0.
      const lower = inLocal[code] || 0;
      if (lower === 0 || (lower === dot && previous === dot)) return false;
      low = mixLow(low, lower);
      high = mixHigh(high, lower);
      previous = lower;
    }
    if (index > localMax || previous === dot || index === length) return false;
    this.#domain = index + 1;

    low = mixLow(low, at);
    high = mixHigh(high, at);
    previous = dot;
    let labelStart = index + 1;
    for (index++; index < length; index++) {
      const lower = inDomain[cell.charCodeAt(index)] || 0;
      if (lower === 0) return false;
      if (lower === dot) {
        if (previous === dot || previous === hyphen || index - labelStart > labelMax) return false;
        labelStart = index + 1;
      } else if (lower === hyphen && previous === dot) return false;
      low = mixLow(low, lower);
      high = mixHigh(high, lower);
      previous = lower;
    }
    // A last label that ends in a letter is not numeric.
    if (!isLetter(previous) || index - labelStart > labelMax) return false;
    this.low = finishLow(low);
    this.high = finishHigh(high);
    return true;
  }
}
