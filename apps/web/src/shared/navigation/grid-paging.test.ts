import { expect, it } from 'vitest';
import { pagingOf, paramsOf } from './grid-paging.ts';

it('§9 the default page is 1 and the default size 10, and neither is in the address', () => {
  expect(pagingOf(new URLSearchParams())).toEqual({ page: 1, pageSize: 10 });
  expect(paramsOf({ page: 1, pageSize: 10 }).toString()).toBe('');
});

it('writes other values to the address and reads them from it', () => {
  const params = paramsOf({ page: 3, pageSize: 25 });

  expect(params.toString()).toBe('page=3&page_size=25');
  expect(pagingOf(params)).toEqual({ page: 3, pageSize: 25 });
});

it.each(['page=0', 'page=-2', 'page=1.5', 'page=two', 'page=1e400', 'page_size=11', 'page_size=1000'])(
  'an address with %s gives a page that can be shown',
  (search) => {
    expect(pagingOf(new URLSearchParams(search))).toEqual({ page: 1, pageSize: 10 });
  },
);
