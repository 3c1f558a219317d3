import { type ComponentProps, useState } from 'react';
import type { AsyncState } from '../../shared/components/async-state.ts';
import { DataGrid } from '../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING, pageCountOf } from '../../shared/components/data-grid/paging.ts';

type GridProps<Row> = Omit<ComponentProps<typeof DataGrid<Row>>, 'rows' | 'paging' | 'onPagingChange'> & {
  rows: AsyncState<{ readonly results: readonly Row[] }>;
};

/** A grid over rows that came whole: it pages through them without asking again. */
export function LocalGrid<Row>({ rows, ...props }: GridProps<Row>) {
  const [asked, setPaging] = useState(DEFAULT_PAGING);
  const total = rows.data?.results.length ?? 0;
  // A search or an action may leave fewer pages than before.
  const paging = { ...asked, page: Math.min(asked.page, pageCountOf(total, asked.pageSize)) };
  const start = (paging.page - 1) * paging.pageSize;
  const page = rows.data && { results: rows.data.results.slice(start, start + paging.pageSize), total };
  return (
    <DataGrid
      {...props}
      rows={{ status: rows.status, data: page } as ComponentProps<typeof DataGrid<Row>>['rows']}
      paging={paging}
      onPagingChange={setPaging}
    />
  );
}
