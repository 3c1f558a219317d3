import { isUtf8 } from 'node:buffer';

export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export type EncodingFinding =
  | { readonly kind: 'text'; readonly encoding: FileEncoding }
  | { readonly kind: 'not_text'; readonly looksLike: string };

/** The first bytes of files that people rename to .csv, and what those files are. */
const signatures: readonly (readonly [string, string])[] = [
  ['504b0304', 'a spreadsheet or zip file'],
  ['d0cf11e0', 'an old Excel file (.xls), or a workbook with a password, which we cannot read'],
  ['25504446', 'a PDF'],
  ['1f8b', 'a gzip archive'],
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
];

/**
 * Judges a file's encoding while it streams by: the byte-order mark first, then whether all of it is UTF-8, and
 * Windows-1252 for the rest, which is what spreadsheets of older habits write. Statistical detectors guess badly on
 * short lists, so nothing is guessed beyond that.
 */
export class EncodingProbe {
  #head = Buffer.alloc(0);
  #isUtf8 = true;
  #hasNul = false;
  #oddNuls = 0;
  #evenNuls = 0;
  /** The bytes in which NULs were counted. */
  #nulSample = 0;
  #offset = 0;
  /** The bytes of a character that the previous chunk was cut in. */
  #cut = Buffer.alloc(0);

  push(chunk: Buffer): void {
    if (this.#head.length < headLength)
      this.#head = Buffer.concat([this.#head, chunk]).subarray(0, headLength);
    if (this.#offset < nulSampleLength) this.#countNuls(chunk);
    else this.#hasNul ||= chunk.includes(0);
    if (this.#isUtf8) this.#checkUtf8(chunk);
    this.#offset += chunk.length;
  }

  finish(): EncodingFinding {
    const head = this.#head.toString('hex');
    if (head.startsWith('efbbbf')) return text('utf-8');
    if (head.startsWith('fffe')) return text('utf-16le');
    if (head.startsWith('feff')) return text('utf-16be');

    const signature = signatures.find(([bytes]) => head.startsWith(bytes));
    if (signature) return { kind: 'not_text', looksLike: signature[1] };
    if (this.#hasNul) return this.#judgeNuls();
    return text(this.#isUtf8 && this.#cut.length === 0 ? 'utf-8' : 'windows-1252');
  }

  /** UTF-16 without its mark shows as a NUL beside nearly every Latin letter; other NULs mean that this is no text. */
  #judgeNuls(): EncodingFinding {
    const half = this.#nulSample / 2;
    if (this.#oddNuls > half * 0.7 && this.#evenNuls < half * 0.05) return text('utf-16le');
    if (this.#evenNuls > half * 0.7 && this.#oddNuls < half * 0.05) return text('utf-16be');
    return { kind: 'not_text', looksLike: 'a binary file' };
  }

  #countNuls(chunk: Buffer): void {
    this.#nulSample += chunk.length;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) {
      this.#hasNul = true;
      if ((this.#offset + at) % 2 === 0) this.#evenNuls++;
      else this.#oddNuls++;
    }
  }

  #checkUtf8(chunk: Buffer): void {
    const joined = this.#cut.length > 0 ? Buffer.concat([this.#cut, chunk]) : chunk;
    const whole = joined.length - cutCharacterLength(joined);
    this.#isUtf8 = isUtf8(joined.subarray(0, whole));
    this.#cut = Buffer.from(joined.subarray(whole));
  }
}

const headLength = 8;
/** Enough to tell. A file of nothing but NULs would take seconds to count. */
const nulSampleLength = 1 << 18;

const text = (encoding: FileEncoding): EncodingFinding => ({ kind: 'text', encoding });

/** How many bytes at the end begin a UTF-8 character that goes on in the next chunk. */
function cutCharacterLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
