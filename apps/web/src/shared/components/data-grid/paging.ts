export const PAGE_SIZES = [10, 25, 50] as const;
/** The server takes no number beyond. */
export const PAGE_MAX = 1_000_000;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Pages count from 1. */
export interface Paging {
  readonly page: number;
  readonly pageSize: PageSize;
}

export const DEFAULT_PAGING: Paging = { page: 1, pageSize: 10 };

export const pageCountOf = (total: number, pageSize: PageSize): number =>
  Math.max(1, Math.ceil(total / pageSize));

/** Another size starts again at page 1: the row that was first has no place that a reader would expect. */
export const withPageSize = (pageSize: PageSize): Paging => ({ page: DEFAULT_PAGING.page, pageSize });

/** Which rows are on the page, counted from 1; null when there are none. */
export function rowRangeOf(
  { page, pageSize }: Paging,
  total: number,
): { first: number; last: number } | null {
  const first = (page - 1) * pageSize + 1;
  return first > total ? null : { first, last: Math.min(page * pageSize, total) };
}
