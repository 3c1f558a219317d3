import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { BrokenQuoting, decodeText, readRows } from './read-rows.ts';

const commas = { delimiter: ',', quote: '"' } as const;

async function* inPieces<Piece extends string | Buffer>(whole: Piece, length: number): AsyncGenerator<Piece> {
  for (let at = 0; at < whole.length; at += length) yield whole.slice(at, at + length) as Piece;
}
const collect = async (rows: AsyncIterable<string[][]>): Promise<string[][]> =>
  (await Array.fromAsync(rows)).flat();
const textOf = async (pieces: AsyncIterable<string>): Promise<string> =>
  (await Array.fromAsync(pieces)).join('');

describe('reading the rows of a file', () => {
  it('gives the rows that were written, wherever the stream is cut', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', ' ', '@') });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (written, length) => {
        const file = Papa.unparse(written, { newline: '\n', quotes: true });
        expect(await collect(readRows(inPieces(file, length), commas))).toEqual(written);
      }),
    );
  });

  it('leaves blank lines out', async () => {
    expect(await collect(readRows(inPieces('a,b\n\n\nc,d\n', 3), commas))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('names the row whose quote is never closed, without reading on for ever', async () => {
    async function* endless() {
      yield 'a,b\nc,"never closed\n';
      for (let piece = 0; piece < 10_000; piece++) yield 'x'.repeat(1_000);
      throw new Error('read to the end');
    }

    await expect(collect(readRows(endless(), commas))).rejects.toThrow(new BrokenQuoting(2));
    await expect(collect(readRows(inPieces('a,b\nc,"open', 4), commas))).rejects.toBeInstanceOf(
      BrokenQuoting,
    );
  });

  it.each([['utf-8'], ['utf-16le'], ['windows-1252']] as const)(
    'decodes %s, cut anywhere',
    async (encoding) => {
      const written = 'josé@exists.test\r\n€\rnext\n';
      const bytes =
        encoding === 'windows-1252'
          ? Buffer.from(written.replace('€', '\u0080'), 'latin1')
          : Buffer.from(written, encoding === 'utf-16le' ? 'utf16le' : 'utf8');

      for (const length of [1, 2, 3, 100]) {
        expect(await textOf(decodeText(inPieces(bytes, length), encoding))).toBe(
          'josé@exists.test\n€\nnext\n',
        );
      }
    },
  );
});
