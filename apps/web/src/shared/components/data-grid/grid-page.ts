import type { UseQueryResult } from '@tanstack/react-query';
import type { Paging } from './paging.ts';

/** What a grid whose place is in the address is given: the page that is shown, and the way to another one. */
export interface GridPageProps<Row> {
  page: UseQueryResult<{ readonly results: readonly Row[]; readonly total: number }>;
  paging: Paging;
  onPagingChange: (paging: Paging) => void;
}
