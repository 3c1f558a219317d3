import type { PageQuery } from '@assay/contract';
import type { SelectQueryBuilder } from 'kysely';

interface Page<Row> {
  readonly rows: Row[];
  /** On all pages together. */
  readonly total: number;
}

/** One page of what a query finds. Its order must leave no two rows equal, or a row could stand on two pages. */
export async function findPage<Tables, Names extends keyof Tables, Row>(
  found: SelectQueryBuilder<Tables, Names, Row>,
  { page_size, page_number }: PageQuery,
): Promise<Page<Row>> {
  const [rows, { total }] = await Promise.all([
    found
      .limit(page_size)
      .offset((page_number - 1) * page_size)
      .execute(),
    found
      .clearSelect()
      .clearOrderBy()
      .select((row) => row.fn.countAll().as('total'))
      .$castTo<{ total: number }>()
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
