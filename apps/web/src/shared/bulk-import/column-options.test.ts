import { describe, expect, it } from 'vitest';
import { columnOptions, findColumn, shownColumns } from './column-options.ts';

const rows = [
  ['Name', 'Mail', 'Mail'],
  ['', 'jane@exists.test', ''],
  ['Max', '', 'max@exists.test'],
];

describe('the columns to choose from', () => {
  it('have names that differ, and their first value', () => {
    expect(columnOptions(rows, { withHeaders: true })).toEqual([
      { number: 1, name: 'Name', firstValue: 'Max' },
      { number: 2, name: 'Mail (column 2)', firstValue: 'jane@exists.test' },
      { number: 3, name: 'Mail (column 3)', firstValue: 'max@exists.test' },
    ]);
    expect(columnOptions(rows, { withHeaders: false })[0]).toEqual({
      number: 1,
      name: 'Column 1',
      firstValue: 'Name',
    });
  });

  it('are found by name or number', () => {
    const options = columnOptions(rows, { withHeaders: true });
    expect(findColumn(options, ' name ')?.number).toBe(1);
    expect(findColumn(options, '3')?.number).toBe(3);
    expect(findColumn(options, 'mail')).toBeUndefined();
  });
});

describe('the columns of a wide table that are drawn', () => {
  it('are around the one that is read', () => {
    expect(shownColumns(3, 1)).toEqual([0, 1, 2]);
    expect(shownColumns(61, 60)).toContain(60);
    expect(shownColumns(61, 60)).toHaveLength(40);
    expect(shownColumns(2_000, 1_000)).toContain(1_000);
  });
});
