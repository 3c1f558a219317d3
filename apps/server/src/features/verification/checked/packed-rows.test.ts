import { expect, it } from 'vitest';
import { type AddressPack, RowPacker } from './packed-rows.ts';

const entryBytes = 12;
const rowsIn = ({ entries }: AddressPack) =>
  Array.from({ length: entries.length / entryBytes }, (_, index) => ({
    key: entries.readUInt32LE(index * entryBytes),
    list: entries.readUInt32LE(index * entryBytes + 4),
    rowNumber: entries.readUInt32LE(index * entryBytes + 8),
  }));
const rowsOf = (packs: readonly AddressPack[]) => packs.flatMap(rowsIn);
const pack = (keys: readonly number[]) => {
  const packer = new RowPacker();
  for (const [index, key] of keys.entries()) packer.add({ key, list: index % 3, rowNumber: index });
  return packer;
};

it.each([0, 1, 159, 161, 65_535, 65_536, 65_537, 200_000])(
  'packs %i rows in the order of their keys',
  async (count) => {
    // Each key twice, in an order that goes up and down.
    const keys = Array.from({ length: count }, (_, index) => ((index >> 1) * 2_654_435_761) % 2 ** 32);
    const packer = pack(keys);
    expect(packer.size).toBe(count);

    const packs = await Array.fromAsync(packer.packs());

    const rows = rowsOf(packs);
    expect(rows.map(({ key }) => key)).toEqual(keys.toSorted((one, other) => one - other));
    expect(rows.every(({ key, list, rowNumber }) => key === keys[rowNumber] && list === rowNumber % 3)).toBe(
      true,
    );
    expect(new Set(rows.map(({ rowNumber }) => rowNumber)).size).toBe(count);
    for (const [index, one] of packs.entries()) {
      expect(rowsIn(one)[0]?.key).toBe(one.firstKey);
      const before = packs[index - 1];
      if (before) expect(rowsIn(before).at(-1)?.key).toBeLessThan(one.firstKey);
    }
  },
);

it('keeps thousands of rows of one key in one pack', async () => {
  const packs = await Array.fromAsync(pack([5, ...Array.from({ length: 70_000 }, () => 7), 9]).packs());
  expect(packs.map(({ firstKey }) => firstKey)).toEqual([5, 9]);
  expect(rowsOf(packs)).toHaveLength(70_002);
});

it('lets other work run while it merges', async () => {
  const packer = pack(Array.from({ length: 1_000_000 }, (_, index) => (index * 2_654_435_761) % 2 ** 32));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await packer.packs().next();
  isDone = true;
  expect(turns).toBeGreaterThan(30);
});
