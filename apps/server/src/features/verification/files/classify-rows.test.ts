import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanRows } from '../../uploads/reading.ts';
import { classifyRows, countRows, type FileRow, type KindCounts } from './classify-rows.ts';

const classify = async (cells: string[], withHeaders: boolean): Promise<FileRow[]> =>
  (
    await Array.fromAsync(
      classifyRows(cleanRows(inTwo(cells.map((cell) => [cell])), []), { emailColumn: 0 }, { withHeaders }),
    )
  ).flat();
const count = async (cells: string[]) => (await Array.fromAsync(countRows(inTwo(cells)))).at(-1);

async function* inTwo<Item>(items: Item[]): AsyncGenerator<Item[]> {
  const half = Math.ceil(items.length / 2);
  yield items.slice(0, half);
  yield items.slice(half);
}

function kindsOf(rows: readonly FileRow[]): KindCounts {
  const without = rows.filter(({ emailAddress }) => emailAddress === null);
  const duplicated = rows.filter(({ firstRowNumber }) => firstRowNumber !== null).length;
  return {
    billable: rows.length - without.length - duplicated,
    nonBillable: without.length,
    duplicated,
    empty: without.filter(({ isEmpty }) => isEmpty).length,
    suppressed: without.filter(({ isSuppressed }) => isSuppressed).length,
  };
}

describe('what a preview counts', () => {
  it('matches the rows of the list, with and without headers, for any cells', async () => {
    const part = fc.constantFrom(
      'a@b.test',
      'A@B.test',
      'c@d.test',
      'x',
      '<a@b.test>',
      '',
      ' ',
      'é@b.test',
      "'-q@b.test",
    );
    const cell = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('; '));
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 8 }), async (cells) => {
        const counted = await count(cells);
        expect(counted).toMatchObject(kindsOf(await classify(cells, false)));
        expect(counted?.belowFirst).toEqual(kindsOf((await classify(cells, true)).slice(1)));
      }),
      { numRuns: 500 },
    );
  });

  it('gives each address of a cell a row of its own, with the other cells beside it', async () => {
    const batches = inTwo([
      ['Jane', 'a@b.test; a@b.test; joe@', '1'],
      ['None', '', '2'],
    ]);
    const rows = (
      await Array.fromAsync(classifyRows(batches, { emailColumn: 1 }, { withHeaders: false }))
    ).flat();

    expect(rows).toMatchObject([
      { rowNumber: 0, cells: ['Jane', 'a@b.test', '1'], emailAddress: 'a@b.test', firstRowNumber: null },
      { rowNumber: 1, cells: ['Jane', 'a@b.test', '1'], emailAddress: 'a@b.test', firstRowNumber: 0 },
      { rowNumber: 2, cells: ['Jane', 'joe@', '1'], emailAddress: null, isEmpty: false },
      { rowNumber: 3, cells: ['None', '', '2'], emailAddress: null, isEmpty: true },
    ]);
  });

  it('keeps the other cells of a long row beside the first address only', async () => {
    const addresses = Array<string>(300).fill('a@b.test').join(';');
    const batches = inTwo([['x'.repeat(9_000), addresses, ...Array<string>(9_000).fill('')]]);
    const rows = (
      await Array.fromAsync(classifyRows(batches, { emailColumn: 1 }, { withHeaders: false }))
    ).flat();

    expect(rows).toHaveLength(300);
    expect(rows[0]?.cells).toHaveLength(9_002);
    expect(rows.slice(1).every(({ cells }) => cells.join() === ',a@b.test')).toBe(true);
  });
});
