import type { ListEmail, ValidationList } from '@assay/contract';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createClient } from './client.ts';
import { eachOf } from './pages.ts';

interface Input {
  readonly query?: { page_size?: number; page_number?: number; search?: string };
  readonly signal?: AbortSignal;
}

/** A paged call over so many numbers that records its inputs. */
function pagesOf(count: number) {
  const asked: Input[] = [];
  const all = Array.from({ length: count }, (_, index) => index);
  const call = async (input: Input) => {
    asked.push(input);
    const { page_size = 10, page_number = 1 } = input.query ?? {};
    return { results: all.slice((page_number - 1) * page_size, page_number * page_size), total: count };
  };
  return { asked, call, all };
}

describe('eachOf', () => {
  it('requires exactly the input that the call needs', () => {
    const { validations } = createClient({ baseUrl: 'https://assay.test/api' });
    expectTypeOf(eachOf(validations.listLists)).toExtend<AsyncIterable<ValidationList>>();
    expectTypeOf(eachOf(validations.listEmails, { params: { list_id: 'l1' } })).toExtend<
      AsyncIterable<ListEmail>
    >();
    // @ts-expect-error the list id is missing
    expectTypeOf(eachOf(validations.listEmails)).toExtend<AsyncIterable<ListEmail>>();
  });

  it.each([0, 1, 99, 100, 101, 250])('gives all %i, once each, in order', async (count) => {
    const { call, all, asked } = pagesOf(count);

    expect(await Array.fromAsync(eachOf(call))).toEqual(all);
    expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 100)));
  });

  it('reads to the end when the total is only a lower bound', async () => {
    const { call, all } = pagesOf(250);
    const capped = async (input: Input) => ({ ...(await call(input)), total: 120, total_is_exact: false });

    expect(await Array.fromAsync(eachOf(capped))).toEqual(all);
  });

  it('passes on its input and starts at the given page', async () => {
    const { call, asked } = pagesOf(5);
    const { signal } = new AbortController();

    const found = await Array.fromAsync(
      eachOf(call, { query: { page_size: 2, page_number: 2, search: 'x' }, signal }),
    );

    expect(found).toEqual([2, 3, 4]);
    expect(asked).toEqual([
      { query: { page_size: 2, page_number: 2, search: 'x' }, signal },
      { query: { page_size: 2, page_number: 3, search: 'x' }, signal },
    ]);
  });

  it('loads no page before it is needed', async () => {
    const { call, asked } = pagesOf(1_000);

    for await (const number of eachOf(call)) if (number === 150) break;

    expect(asked).toHaveLength(2);
  });

  it('ends when entries are deleted meanwhile', async () => {
    let calls = 0;
    const call = async () => ({ results: calls++ === 0 ? [1] : [], total: 1_000 });

    expect(await Array.fromAsync(eachOf(call))).toEqual([1]);
  });
});
