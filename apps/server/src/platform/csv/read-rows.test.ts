import { describe, expect, it } from 'vitest';
import { BrokenQuoting } from './csv-reader.ts';
import { decodeText, readColumn, readRows } from './read-rows.ts';

const commas = { delimiter: ',', quote: '"' } as const;

async function* inPieces<Piece extends string | Buffer>(whole: Piece, length: number): AsyncGenerator<Piece> {
  for (let at = 0; at < whole.length; at += length) yield whole.slice(at, at + length) as Piece;
}
const collect = async (rows: AsyncIterable<string[][]>): Promise<string[][]> =>
  (await Array.fromAsync(rows)).flat();
const textOf = async (pieces: AsyncIterable<string>): Promise<string> =>
  (await Array.fromAsync(pieces)).join('');

describe('reading the rows of a file', () => {
  it('leaves blank lines out', async () => {
    expect(await collect(readRows(inPieces('a,b\n\n\nc,d\n', 3), commas))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('names the row whose quote is never closed', async () => {
    await expect(collect(readRows(inPieces('a,b\n\nc,"open', 4), commas))).rejects.toThrow(
      new BrokenQuoting(3),
    );
  });

  it('reads one column, and an empty cell where a row is too short', async () => {
    const file = 'name,email\n"Doe, Jane",jane@exists.test\n\nalone\n"a ""b""","x""y@z"\nlast,"one"';
    const cells = (await Array.fromAsync(readColumn(inPieces(file, 7), commas, 1))).flat();
    expect(cells).toEqual(['email', 'jane@exists.test', '', 'x"y@z', 'one']);
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
