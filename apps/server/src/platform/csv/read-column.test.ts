import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readColumn } from './read-column.ts';
import { BrokenQuoting, readRows } from './read-rows.ts';

const commas = { delimiter: ',', quote: '"' } as const;

async function* inPieces(whole: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < whole.length; at += length) yield whole.slice(at, at + length);
}
/** What was read, and the row that it broke in when it did. */
async function outcomeOf<Item>(
  batches: AsyncIterable<Item[]>,
): Promise<{ items: Item[]; brokenRow?: number }> {
  const items: Item[] = [];
  try {
    for await (const batch of batches) items.push(...batch);
    return { items };
  } catch (error) {
    if (error instanceof BrokenQuoting) return { items, brokenRow: error.row };
    throw error;
  }
}

describe('readColumn', () => {
  it('reads the cells of one column, quoted or not, and an empty one where a row is too short', async () => {
    const file = 'name,email\n"Doe, Jane",jane@exists.test\n\nalone\n"a ""b""","x""y@z"\nlast,"one"';

    expect(await outcomeOf(readColumn(inPieces(file, 1_000), commas, 1))).toEqual({
      items: ['email', 'jane@exists.test', '', 'x"y@z', 'one'],
    });
  });

  it('agrees with the parser on any text, broken quoting included, wherever it is cut', async () => {
    const unit = fc.constantFrom('a', 'é', ',', ',', '"', '"', '\n', '\n', ' ', "'", ';');
    const text = fc.string({ unit, maxLength: 60 });
    const format = fc.record({
      delimiter: fc.constantFrom(',', ';'),
      quote: fc.constantFrom('"', "'"),
    });
    await fc.assert(
      fc.asyncProperty(
        text,
        format,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 2 }),
        async (file, asked, length, column) => {
          const cells = await outcomeOf(readColumn(inPieces(file, length), asked, column));
          const rows = await outcomeOf(readRows(inPieces(file, length), asked));
          expect(cells.brokenRow).toBe(rows.brokenRow);
          if (rows.brokenRow === undefined)
            expect(cells.items).toEqual(rows.items.map((row) => row[column] ?? ''));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('does not read on for ever behind a quote that is never closed', async () => {
    async function* endless() {
      yield 'a,b\nc,"never closed\n';
      for (let piece = 0; piece < 10_000; piece++) yield 'x'.repeat(1_000);
      throw new Error('read to the end');
    }

    expect(await outcomeOf(readColumn(endless(), commas, 1))).toMatchObject({ brokenRow: 2 });
  });
});
