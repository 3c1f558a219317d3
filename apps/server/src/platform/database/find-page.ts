import type { PageQuery } from '@assay/contract';
import type { SelectQueryBuilder } from 'kysely';

interface Page<Row> {
  readonly rows: Row[];
  /** On all pages together. */
  readonly total: number;
}

/**
 * One page of a query's rows, in one statement. Each row also carries the total, as `page_total`. The order must be total,
 * or a row could be on two pages.
 */
export async function findPage<Tables, Names extends keyof Tables, Row>(
  found: SelectQueryBuilder<Tables, Names, Row>,
  { page_size, page_number }: PageQuery,
): Promise<Page<Row>> {
  const count = found
    .clearSelect()
    .clearOrderBy()
    .select((row) => row.fn.countAll().as('total'))
    .$castTo<{ total: number }>();
  const rows = await found
    .select(() => count.as('page_total'))
    .limit(page_size)
    .offset((page_number - 1) * page_size)
    .$castTo<Row & { page_total: number }>()
    .execute();

  const [first] = rows;
  if (first || page_number === 1) return { rows, total: first?.page_total ?? 0 };
  // A page behind the last has no row to carry the total.
  return { rows, ...(await count.executeTakeFirstOrThrow()) };
}
