import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readSheets } from '../../testing/read-sheets.ts';
import { writeXlsx } from './write-xlsx.ts';

const write = async (
  rows: readonly (readonly string[])[],
  options: { hasHeader: boolean; rowsMax?: number },
) => Buffer.concat(await Array.fromAsync(writeXlsx(Readable.from([rows]), options)));

describe('a workbook', () => {
  it('keeps every cell as text, whatever is in it', async () => {
    const rows = [
      ['email', '=SUM(A1)', ''],
      ['<b>&amp;"\'', ' space ', 'two\nlines'],
      ['_x0041_', '00123', 'Zoë 🚀'],
    ];

    expect(readSheets(await write(rows, { hasHeader: true }))).toEqual([rows]);
  });

  it('replaces what XML cannot hold, and cuts what a cell cannot hold', async () => {
    const [[row] = []] = readSheets(
      await write([['a\u0000b\ud800', 'x'.repeat(40_000)]], { hasHeader: false }),
    );

    expect(row?.[0]).toBe('a\ufffdb\ufffd');
    expect(row?.[1]).toHaveLength(32_767);
  });

  it('continues on further sheets below the same header', async () => {
    const rows = [['n'], ...Array.from({ length: 5 }, (_, index) => [String(index)])];

    expect(readSheets(await write(rows, { hasHeader: true, rowsMax: 3 }))).toEqual([
      [['n'], ['0'], ['1']],
      [['n'], ['2'], ['3']],
      [['n'], ['4']],
    ]);
  });

  it('reads pages of any length, empty ones too', async () => {
    const pages = [[['n']], [], [['0'], ['1'], ['2']], [], [['3']], []];
    const written = await Array.fromAsync(writeXlsx(Readable.from(pages), { hasHeader: true, rowsMax: 3 }));

    expect(readSheets(Buffer.concat(written))).toEqual([
      [['n'], ['0'], ['1']],
      [['n'], ['2'], ['3']],
    ]);
  });

  it('has one empty sheet without rows', async () => {
    expect(readSheets(await write([], { hasHeader: true }))).toEqual([[]]);
  });

  it('fails when its rows fail, instead of ending early', async () => {
    async function* failing() {
      yield [['a']];
      throw new Error('the list is gone');
    }

    await expect(Array.fromAsync(writeXlsx(failing(), { hasHeader: false }))).rejects.toThrow(
      'the list is gone',
    );
  });

  it('stops reading rows when the reader goes away', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield [[String(Math.random())]];
      } finally {
        isClosed = true;
      }
    }
    for await (const piece of writeXlsx(endless(), { hasHeader: false })) if (piece.length > 1_000) break;

    await expect.poll(() => isClosed).toBe(true);
  });
});
