import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { detectQuote } from './csv-format.ts';
import { readSample } from './read-sample.ts';
import { formatRow, writeCsv } from './write-rows.ts';

describe('writing a row back', () => {
  it('reads as the same cells again, whatever they hold and whatever divides them', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', ',', ';', '"', '\n', ' ', '\t', '|') });
    const row = fc.array(cell, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(row, fc.constantFrom(',', ';', '\t', '|'), (cells, delimiter) => {
        const { data } = Papa.parse<string[]>(formatRow(cells, delimiter), { delimiter, newline: '\n' });
        expect(data).toEqual([cells]);
      }),
    );
  });

  it('leaves plain cells as they are', () => {
    expect(formatRow(['jane@exists.test', "O'Neil", '5'], ';')).toBe("jane@exists.test;O'Neil;5");
  });

  it('keeps an apostrophe that begins a cell from being read as a quote, with one that ends another', () => {
    const line = formatRow(['jane@exists.test', "'-", "6'"], ',');

    expect(readSample(line, { delimiter: ',', quote: detectQuote(line) })).toEqual([
      ['jane@exists.test', "'-", "6'"],
    ]);
  });
});

describe('writeCsv', () => {
  const page = Array.from({ length: 1_000 }, (_, row) =>
    Array.from({ length: 12 }, (_, column) => `row ${row}, "${column}"`),
  );
  async function* pagesOf(count: number) {
    for (let index = 0; index < count; index += 1) yield page;
  }

  it('writes the header and all rows, with formulas neutralised', async () => {
    async function* pages() {
      yield [['=1+1', 'a,b']];
      yield [];
      yield [['c', 'd']];
    }
    const file = Buffer.concat(await Array.fromAsync(writeCsv(['first', 'second'], pages())));
    expect(String(file)).toBe(`\ufefffirst,second\n"'=1+1","a,b"\nc,d\n`);
  });

  it('lets the event loop turn between pages, so that a long file delays no call', async () => {
    let turns = 0;
    let isWritten = false;
    const turn = () => {
      turns += 1;
      if (!isWritten) setImmediate(turn);
    };
    setImmediate(turn);
    for await (const _ of writeCsv(['header'], pagesOf(10)));
    isWritten = true;
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});
