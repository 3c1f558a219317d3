import type { UseQueryResult } from '@tanstack/react-query';
import type { Paging } from './paging.ts';

/** What a grid whose place is in the address is given: the page that is shown, and the way to another one. */
export interface GridPageProps<Row> {
  page: UseQueryResult<{ readonly results: readonly Row[]; readonly total: number }>;
  paging: Paging;
  onPagingChange: (paging: Paging) => void;
  filter: GridFilter;
  onFilterChange: (change: Partial<GridFilter>) => void;
}

/** Which rows a grid shows, and in which order. */
export interface GridFilter {
  /** Part of a name or address; empty for all. */
  readonly search: string;
  /** Empty for the usual order. */
  readonly sort: string;
}

export const NO_FILTER: GridFilter = { search: '', sort: '' };
