import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { asyncStateOf } from '../components/async-state.ts';
import { DataGrid } from '../components/data-grid/data-grid.tsx';
import type { GridPageProps } from '../components/data-grid/grid-page.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Icon } from '../components/icon.tsx';
import { ShortCount } from '../components/short-count.tsx';
import { formatDate } from '../format/dates.ts';
import type { AnyList } from './any-list.ts';
import { ListStatus } from './list-status.tsx';
import type { ListActions } from './use-list-dialogs.tsx';

interface ListsGridProps<List> extends GridPageProps<List> {
  /** What the lists are, in the plural, as the grid is called. */
  name: string;
  nameCell: (list: List) => ReactNode;
  /** A column each, in this order. */
  counts: readonly { readonly header: string; readonly of: (list: List) => number }[];
  detailPath: (list: List) => string;
  actions: ListActions<List>;
  /** The later of a loaded list and what the live line said of it. */
  live: (list: List) => List;
  emptyTitle: string;
}

/** The lists of one kind: how large, how far, and what became of their rows. */
export function ListsGrid<List extends AnyList>({
  name,
  page,
  paging,
  onPagingChange,
  nameCell,
  counts,
  detailPath,
  actions,
  live,
  emptyTitle,
}: ListsGridProps<List>) {
  const navigate = useNavigate();
  return (
    <>
      <DataGrid<List>
        name={name}
        columns={[
          { header: 'File name', cell: nameCell },
          ...counts.map((count) => ({
            header: count.header,
            align: 'end' as const,
            cell: (list: List) => <ShortCount of={count.of(live(list))} />,
          })),
          { header: 'Date', cell: ({ creation_date }) => formatDate(creation_date) },
          { header: 'Status', cell: (list) => <ListStatus list={live(list)} />, cellHeight: '36px' },
        ]}
        rows={asyncStateOf(page)}
        rowKey={({ id }) => id}
        rowHref={detailPath}
        rowMenu={{
          rowName: (list) => list.name,
          actions: (list) => [
            { label: 'Details', icon: 'details', onSelect: () => void navigate(detailPath(list)) },
            ...actions.actionsOf(live(list)),
          ],
        }}
        paging={paging}
        onPagingChange={onPagingChange}
        onRetry={() => void page.refetch()}
        empty={
          <EmptyState
            icon={<Icon name="upload" size={32} />}
            title={emptyTitle}
            description="Import a CSV file with the button above. You see what it costs before anything is charged."
          />
        }
      />
      {actions.dialogs}
    </>
  );
}
