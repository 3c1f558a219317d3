import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { detectQuote } from './csv-format.ts';
import { readSample } from './read-sample.ts';
import { formatRow } from './write-rows.ts';

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
