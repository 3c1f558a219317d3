import { describe, expect, it } from 'vitest';
import { DEFAULT_PAGING, PAGE_SIZES, pageCountOf, rowRangeOf, withPageSize } from './paging.ts';

describe('§9 paging', () => {
  it('sizes are 10, 25 and 50; default 10, default page 1', () => {
    expect(PAGE_SIZES).toEqual([10, 25, 50]);
    expect(DEFAULT_PAGING).toEqual({ page: 1, pageSize: 10 });
  });
  it.each([
    [0, 10, 1],
    [1, 10, 1],
    [10, 10, 1],
    [11, 10, 2],
    [51, 50, 2],
  ] as const)('%i rows in pages of %i are %i page(s)', (total, pageSize, count) => {
    expect(pageCountOf(total, pageSize)).toBe(count);
  });
  it('another page size starts again at page 1', () => {
    expect(withPageSize(25)).toEqual({ page: 1, pageSize: 25 });
  });
  it('the range names the rows of the page, the last page may be short', () => {
    expect(rowRangeOf({ page: 1, pageSize: 10 }, 57)).toEqual({ first: 1, last: 10 });
    expect(rowRangeOf({ page: 6, pageSize: 10 }, 57)).toEqual({ first: 51, last: 57 });
  });
  it('there is no range without rows, or on a page beyond the last', () => {
    expect(rowRangeOf({ page: 1, pageSize: 10 }, 0)).toBeNull();
    expect(rowRangeOf({ page: 7, pageSize: 10 }, 57)).toBeNull();
  });
});
