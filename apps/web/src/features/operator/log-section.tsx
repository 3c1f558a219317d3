import { useState } from 'react';
import { Link } from 'react-router';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { DataGrid } from '../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING } from '../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { formatDateTime } from '../../shared/format/dates.ts';
import classes from './operator.module.css';
import { useActions } from './operator-api.ts';
import { actionWords } from './operator-words.ts';

export function LogSection() {
  return <ActionsGrid />;
}

/** What operators did, to everyone or to one customer. */
export function ActionsGrid({ customerId }: { customerId?: string }) {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const actions = useActions(paging, customerId);
  return (
    <DataGrid
      name="actions"
      columns={[
        { header: 'Action', cell: ({ kind }) => actionWords(kind) },
        { header: 'Detail', cell: ({ about }) => about, isText: true },
        { header: 'Reason', cell: ({ reason }) => reason, isText: true },
        {
          header: 'Customer',
          compact: 'labelled',
          cell: ({ customer_id: id }) =>
            id === null ? null : (
              <Link to={`/operator/customers/${id}`} className={classes.link}>
                {id.slice(0, 8)}
              </Link>
            ),
        },
        {
          header: 'Operator',
          cell: ({ actor_id, actor_name }) => actor_id?.slice(0, 8) ?? actor_name ?? 'command line',
          compact: 'labelled',
        },
        { header: 'Date', cell: ({ date }) => formatDateTime(date) },
      ]}
      rows={asyncStateOf(actions)}
      rowKey={({ number }) => String(number)}
      paging={paging}
      onPagingChange={setPaging}
      onRetry={() => void actions.refetch()}
      empty={
        <EmptyState
          icon="search"
          title="No actions yet"
          description="What operators do appears here, with their reasons."
        />
      }
    />
  );
}
