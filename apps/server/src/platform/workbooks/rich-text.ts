import { BadWorkbook } from './bad-workbook.ts';

/** Excel's own limit for a cell. */
const textLengthMax = 32_767;

// How Excel writes a character that XML cannot hold: _x000D_ is a carriage return.
const escapedCharacter = /_x([0-9A-Fa-f]{4})_/g;

/** A text in runs of different fonts. Hints at its pronunciation, which East Asian texts have, are left out. */
export class RichText {
  #value = '';
  #isText = false;
  #hints = 0;

  reset(): void {
    this.#value = '';
    this.#isText = false;
    this.#hints = 0;
  }

  open(name: string): void {
    if (name === 'rPh') this.#hints += 1;
    else if (name === 't') this.#isText = this.#hints === 0;
  }

  close(name: string): void {
    if (name === 'rPh') this.#hints -= 1;
    else if (name === 't') this.#isText = false;
  }

  add(text: string): void {
    if (this.#isText) this.#value = joinText(this.#value, text);
  }

  get value(): string {
    return unescapeText(this.#value);
  }
}

/** A text in pieces may not grow beyond what a cell holds. */
export function joinText(before: string, text: string): string {
  if (before.length + text.length > textLengthMax) throw new BadWorkbook({ kind: 'too_large' });
  return before + text;
}

export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(escapedCharacter, (_, code: string) =>
        storable(String.fromCharCode(Number.parseInt(code, 16))),
      )
    : text;

// PostgreSQL stores no NUL.
const storable = (character: string): string => (character === '\0' ? '' : character);
