import { pageQuerySchema } from '@assay/contract';
import { expect, it } from 'vitest';
import { pageQueryOf } from '../api/page-query.ts';
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

it.each(['page=1000001', 'page=1e9', 'page=9007199254740991'])(
  'an address with %s asks for a page that the server takes, so that its answer leads to the last one',
  (search) => {
    const query = pageQueryOf(pagingOf(new URLSearchParams(search)));

    expect(pageQuerySchema.safeParse(query).success).toBe(true);
    expect(query.page_number).toBe(1_000_000);
  },
);
