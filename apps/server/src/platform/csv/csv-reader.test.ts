import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import type { CsvFormat } from './csv-format.ts';
import { BrokenQuoting, CsvReader, type ReaderOptions, RowTooLarge } from './csv-reader.ts';
import { readSample } from './read-sample.ts';

const commas = { delimiter: ',', quote: '"' } as const;

interface Outcome {
  readonly rows: string[][];
  readonly brokenRow?: number;
}

/** The rows, and the row that the quoting is broken in. */
function read(pieces: readonly string[], format: CsvFormat = commas, options: ReaderOptions = {}): Outcome {
  const reader = new CsvReader(format, options);
  const rows: string[][] = [];
  try {
    for (const piece of pieces) rows.push(...reader.push(piece));
    return { rows: [...rows, ...reader.finish()] };
  } catch (error) {
    if (error instanceof BrokenQuoting) return { rows: [], brokenRow: error.row };
    throw error;
  }
}

/** The same by papaparse, which reads the whole text. */
function readByPapa(text: string, { delimiter, quote }: CsvFormat): Outcome {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, quoteChar: quote, newline: '\n' });
  const broken = errors.find(({ type }) => type === 'Quotes');
  if (broken) return { rows: [], brokenRow: (broken.row ?? 0) + 1 };
  return { rows: data.filter((row) => row.length > 1 || row[0] !== '') };
}

const unit = fc.constantFrom('a', 'é', ',', ',', '"', '"', '\n', '\n', ' ', '\t', "'", ';');
const text = fc.string({ unit, maxLength: 60 });
const format = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quote: fc.constantFrom('"', "'"),
}) as fc.Arbitrary<CsvFormat>;
const cuts = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 });

function cutAt(whole: string, places: readonly number[]): string[] {
  const ends = [...places, whole.length].sort((left, right) => left - right);
  return ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
}

describe('CsvReader', () => {
  it('reads any text like papaparse, broken quoting included', () => {
    fc.assert(
      fc.property(text, format, (written, asked) => {
        // Spaces behind a quote count as nothing before a line break, and here also at the end of the text.
        const file = `${written}\n`;
        expect(read([file], asked)).toEqual(readByPapa(file, asked));
      }),
      { numRuns: 5_000 },
    );
  });

  it('gives the rows that were written, in every dialect', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', ',', ';', '"', "'", '\n', ' ', '@') });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(rows, format, (written, { delimiter, quote }) => {
        const file = Papa.unparse(written, { newline: '\n', quotes: true, delimiter, quoteChar: quote });
        expect(read([file], { delimiter, quote })).toEqual({ rows: written });
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the same wherever the text is cut', () => {
    fc.assert(
      fc.property(text, format, cuts, (file, asked, places) => {
        expect(read(cutAt(file, places), asked)).toEqual(read([file], asked));
      }),
      { numRuns: 5_000 },
    );
  });

  it('gives one column of the same rows, and refuses the same', () => {
    fc.assert(
      fc.property(text, format, cuts, fc.integer({ min: 0, max: 2 }), (file, asked, places, column) => {
        const { rows, ...outcome } = read([file], asked);
        expect(read(cutAt(file, places), asked, { column })).toEqual({
          ...outcome,
          rows: rows.map((row) => (column < row.length ? [row[column]] : [])),
        });
      }),
      { numRuns: 2_500 },
    );
  });

  it.each([
    ['columns', 'a\nb,'.concat(',x'.repeat(2_000))],
    ['columns', `a\n${',"x"'.repeat(2_001)}`],
    ['cell', `a\n${'x'.repeat(100_001)}`],
    ['cell', `a\n"${'x'.repeat(50_000)}\n${'x'.repeat(50_001)}`],
    ['row', `a\n${`${'x'.repeat(90_000)},`.repeat(12)}`],
    ['row', `a\n"x"${' '.repeat(1_000_001)}`],
  ] as const)('names the row that is beyond the limit for %s', (limit, file) => {
    for (const options of [{}, { column: 0 }]) {
      expect(() => read([file], commas, options)).toThrow(new RowTooLarge(2, limit));
    }
  });

  it('stops at the limit, without the rest of the text', () => {
    const reader = new CsvReader(commas);
    reader.push('a,b\nc,"never closed\n');
    const piece = 'x'.repeat(1_000);
    let pieceCount = 0;
    const readOn = () => {
      for (; pieceCount < 10_000; pieceCount++) reader.push(piece);
    };
    expect(readOn).toThrow(new RowTooLarge(2, 'cell'));
    expect(pieceCount).toBeLessThan(101);
  });

  it('accepts rows up to the limits', () => {
    const widest = Array.from({ length: 2_000 }, () => 'x');
    const longest = 'x'.repeat(100_000);
    expect(read([`${widest.join(',')}\n"${longest}"\n`])).toEqual({ rows: [widest, [longest]] });
  });
});

describe('readSample', () => {
  it('takes wrong quotes as text, as papaparse does', () => {
    const file = '"a";"b"\n"c" x;"d"\n"e"';
    for (const delimiter of [',', ';'] as const) {
      const { data } = Papa.parse<string[]>(file, { delimiter, newline: '\n' });
      expect(readSample(file, { delimiter, quote: '"' })).toEqual(data);
    }
  });

  it('reads 200 rows, and of each row 2,000 cells', () => {
    const rows = readSample(`${'x,'.repeat(5_000)}\n`.repeat(300), commas);
    expect([rows.length, rows[0]?.length]).toEqual([200, 2_000]);
  });
});

describe('CsvReader that mends', () => {
  /** The rows, and those that were mended, each once. */
  function mended(pieces: readonly string[], asked: CsvFormat = commas, options: ReaderOptions = {}) {
    const broken = new Set<number>();
    const { rows } = read(pieces, asked, { ...options, onMend: (row) => broken.add(row) });
    return { rows, broken: [...broken] };
  }

  it('reads text without broken quotes as it always does', () => {
    fc.assert(
      fc.property(text, format, cuts, (written, asked, places) => {
        const strict = read([written], asked);
        fc.pre(strict.brokenRow === undefined);
        expect(mended(cutAt(written, places), asked)).toEqual({ rows: strict.rows, broken: [] });
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads any text, in the same way wherever it is cut, and one column like all of them', () => {
    fc.assert(
      fc.property(text, format, cuts, (written, asked, places) => {
        const whole = mended([written], asked);
        expect(mended(cutAt(written, places), asked)).toEqual(whole);
        const column = mended(cutAt(written, places), asked, { column: 1 });
        expect(column.rows.map(([cell = '']) => cell)).toEqual(whole.rows.map(([, cell = '']) => cell));
        if (read([written], asked).brokenRow !== undefined) expect(whole.broken).not.toEqual([]);
      }),
      { numRuns: 2_500 },
    );
  });

  it('takes a wrong quote inside a cell as text', () => {
    expect(mended(['name,email\n"Jane "J" Doe",jane@b.test\nMax,max@b.test\n'])).toEqual({
      rows: [
        ['name', 'email'],
        ['Jane "J" Doe', 'jane@b.test'],
        ['Max', 'max@b.test'],
      ],
      broken: [2],
    });
  });

  it('takes a quote that is never closed as text, and loses no row behind it', () => {
    expect(mended(['name,email\n"Jane,jane@b.test\nMax,max@b.test\n"Ann, A.",ann@b.test\n'])).toEqual({
      rows: [
        ['name', 'email'],
        ['"Jane', 'jane@b.test'],
        ['Max', 'max@b.test'],
        ['Ann, A.', 'ann@b.test'],
      ],
      broken: [2],
    });
    expect(mended(['a,b\nx,"y\nz,w\n']).rows).toEqual([
      ['a', 'b'],
      ['x', '"y'],
      ['z', 'w'],
    ]);
    expect(mended(['a\n"x" y\nz\n'])).toEqual({ rows: [['a'], ['"x" y'], ['z']], broken: [2] });
    expect(mended(['to\n"Doe, Jane" <jane@b.test>\n"M." <max@b.test>']).rows).toEqual([
      ['to'],
      ['"Doe, Jane" <jane@b.test>'],
      ['"M." <max@b.test>'],
    ]);
  });

  it('keeps a cell of several lines', () => {
    expect(mended(['a,"one\ntwo"\nb,c\n'])).toEqual({
      rows: [
        ['a', 'one\ntwo'],
        ['b', 'c'],
      ],
      broken: [],
    });
  });

  it('keeps several names in quotes on a line', () => {
    expect(mended(['"Doe, Jane" <jane@b.test>,"Roe, Ann" <ann@b.test>\n"y",z\n']).rows).toEqual([
      ['"Doe, Jane" <jane@b.test>', '"Roe, Ann" <ann@b.test>'],
      ['y', 'z'],
    ]);
  });

  it('mends a wrong quote behind a cell of several lines as it does in a line of its own', () => {
    expect(mended(['"Doe, Jane" <jane@b.test>,"one\ntwo","12" pipe, steel",x\n']).rows).toEqual([
      ['"Doe, Jane" <jane@b.test>', 'one\ntwo', '12" pipe, steel', 'x'],
    ]);
  });

  it('is linear, whatever marks are repeated', () => {
    const length = 8_000;
    const cpuMs = (text: string, pieceLength = length): number => {
      const reader = new CsvReader(commas, { isLenient: true, onMend: () => undefined });
      const before = process.threadCpuUsage();
      for (let start = 0; start < text.length; start += pieceLength)
        reader.push(text.slice(start, start + pieceLength));
      reader.finish();
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    };
    // Linear work takes 1 ms. The square took 250 ms. Of three tries, a busy machine disturbs one or two.
    const isCostly = (text: string) => [1, 2, 3].every(() => cpuMs(text) > 50);
    const longer = (units: string[]) =>
      units.flatMap((unit) => ['"', 'a', ',', '\n', ' '].map((mark) => unit + mark));
    const pairs = longer(longer(['']));
    const units = [...pairs, ...longer(pairs), '"a"b,', '"a"b\n', '""a,', '"a""b,'];
    const texts = ['', '"', '"a"b'].flatMap((start) =>
      units.map((unit) => start + unit.repeat(length / unit.length)),
    );
    expect(texts.filter(isCostly).map((text) => text.slice(0, 20))).toEqual([]);

    const long = ['"",', '""x\n', '"a"b,"c\nd",', '"a,'].map(
      (unit) => `"${unit.repeat(300_000 / unit.length)}`,
    );
    expect(long.filter((text) => cpuMs(text, 1_000) > 2_000).map((text) => text.slice(0, 20))).toEqual([]);
  });
});
