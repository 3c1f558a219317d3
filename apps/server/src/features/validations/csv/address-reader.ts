import { parseAddress } from '@assay/verifier';
import { finishHigh, finishLow, mixHigh, mixLow, seeds } from './address-hash.ts';
import type { AddressHash } from './address-set.ts';

const localMax = 64;
const addressMax = 254;
const labelMax = 63;
const at = 0x40;
const dot = 0x2e;
const hyphen = 0x2d;

/** What a character may be part of, by its code: nothing, a local part, or a domain too. */
const roles = new Uint8Array(128);
const inLocal = 1;
const inDomain = 2;
const isLetter = 4;
for (const character of "!#$%&'*+/=?^_`{|}~-") roles[character.charCodeAt(0)] = inLocal;
for (let code = 0x30; code <= 0x39; code++) roles[code] = inLocal | inDomain;
for (let code = 0x41; code <= 0x5a; code++) {
  roles[code] = inLocal | inDomain | isLetter;
  roles[code + 0x20] = inLocal | inDomain | isLetter;
}

/**
 * Reads the address in a cell, and hashes it in lower case on the way. Nearly all addresses are plain: those are read in
 * one pass that makes no object and no string, since a file has millions of them. All others go through the engine's own
 * reader, which alone says what an address is: whatever is plain here is an address there.
 */
export class AddressReader implements AddressHash {
  low = 0;
  high = 0;
  /** As it is verified. */
  email = '';
  /** Where the domain of a plain address begins, or what it is in others. */
  #domain: number | string = 0;

  /** Whether the cell holds an address; the fields then tell of it. */
  read(cell: string): boolean {
    if (this.#readPlain(cell)) {
      this.email = cell;
      return true;
    }
    const parsed = parseAddress(cell);
    if (!parsed.ok) return false;
    this.#hash(parsed.email.toLowerCase());
    this.email = parsed.email;
    this.#domain = parsed.domain;
    return true;
  }

  /** The domain of what was read, in lower case. */
  get domain(): string {
    return typeof this.#domain === 'string' ? this.#domain : this.email.slice(this.#domain).toLowerCase();
  }

  #hash(address: string): void {
    let low: number = seeds.low;
    let high: number = seeds.high;
    for (let index = 0; index < address.length; index++) {
      const code = address.charCodeAt(index);
      low = mixLow(low, code);
      high = mixHigh(high, code);
    }
    this.low = finishLow(low);
    this.high = finishHigh(high);
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
      if (code === dot ? previous === dot : code > 127 || ((roles[code] as number) & inLocal) === 0)
        return false;
      const lower = code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
      low = mixLow(low, lower);
      high = mixHigh(high, lower);
      previous = code;
    }
    if (index > localMax || previous === dot || index === length) return false;
    this.#domain = index + 1;

    low = mixLow(low, at);
    high = mixHigh(high, at);
    previous = dot;
    let labelLength = 0;
    for (index++; index < length; index++) {
      const code = cell.charCodeAt(index);
      if (code === dot) {
        if (previous === dot || previous === hyphen) return false;
        labelLength = 0;
      } else if (
        code === hyphen ? previous === dot : code > 127 || ((roles[code] as number) & inDomain) === 0
      ) {
        return false;
      } else if (++labelLength > labelMax) return false;
      const lower = code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
      low = mixLow(low, lower);
      high = mixHigh(high, lower);
      previous = code;
    }
    // A last label that ends in a letter is not all digits.
    if (((roles[previous] as number) & isLetter) === 0) return false;
    this.low = finishLow(low);
    this.high = finishHigh(high);
    return true;
  }
}
