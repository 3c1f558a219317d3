import type { Readable } from 'node:stream';
import { BadWorkbook } from './bad-workbook.ts';
import { readWholeXml } from './read-xml.ts';
import { RichText } from './rich-text.ts';

const bytesMax = 64 * 1024 * 1024;
const stringsMax = 5_000_000;
const blockLength = 4 * 1024 * 1024;
const firstCapacity = 1 << 14;

/**
 * The texts that the cells of a workbook refer to by number. A sheet may refer to any of them at any time, so all are in
 * memory, as UTF-8: strings of their own would take several times the room.
 */
export class SharedStrings {
  readonly #blocks: Buffer[] = [];
  #starts = new Uint32Array(firstCapacity);
  #ends = new Uint32Array(firstCapacity);
  #count = 0;
  /** Where the next text goes, counted over all blocks. */
  #end = 0;

  add(text: string): void {
    const length = Buffer.byteLength(text);
    const hasRoom = (this.#end % blockLength) + length <= blockLength && this.#blocks.length > 0;
    if (!hasRoom) {
      this.#end = this.#blocks.length * blockLength;
      this.#blocks.push(Buffer.allocUnsafeSlow(blockLength));
    }
    if (this.#end + length > bytesMax || this.#count >= stringsMax || length > blockLength)
      throw new BadWorkbook({ kind: 'too_large' });
    if (this.#count === this.#starts.length) this.#grow();
    this.#blocks.at(-1)?.write(text, this.#end % blockLength);
    this.#starts[this.#count] = this.#end;
    this.#end += length;
    this.#ends[this.#count] = this.#end;
    this.#count += 1;
  }

  /** Empty for a number that the workbook does not have. */
  get(index: number): string {
    if (!(index >= 0 && index < this.#count)) return '';
    const start = this.#starts[index] as number;
    const block = Math.floor(start / blockLength);
    const offset = block * blockLength;
    return (this.#blocks[block] as Buffer).toString(
      'utf8',
      start - offset,
      (this.#ends[index] as number) - offset,
    );
  }

  #grow(): void {
    this.#starts = grown(this.#starts);
    this.#ends = grown(this.#ends);
  }
}

function grown(old: Uint32Array): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(old.length * 2);
  wider.set(old);
  return wider;
}

export async function readSharedStrings(xml: Readable): Promise<SharedStrings> {
  const strings = new SharedStrings();
  const item = new RichText();
  await readWholeXml(xml, {
    open: (name) => {
      if (name === 'si') item.reset();
      else item.open(name);
    },
    close: (name) => {
      if (name === 'si') strings.add(item.value);
      else item.close(name);
    },
    text: (text) => item.add(text),
  });
  return strings;
}
