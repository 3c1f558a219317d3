import type { CallRequest } from '@assay/contract/operator';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { EmptyState } from '../../shared/components/empty-state.tsx';
import { formatDateTime } from '../../shared/format/dates.ts';
import { LocalGrid } from './local-grid.tsx';
import { useRows } from './operator-api.ts';

export function CallsSection() {
  const requests = useRows('listCallRequests');
  return (
    <LocalGrid
      name="call requests"
      columns={[
        {
          header: 'Customer',
          cell: (row) => `${row.first_name} ${row.last_name}`.trim() || row.email_address,
        },
        { header: 'Phone', cell: ({ phone }) => phone ?? 'none' },
        { header: 'Request', cell: ({ subject, description }) => `${subject}: ${description}`, isText: true },
        { header: 'Sent to', cell: sentTo, isText: true, compact: 'labelled' },
        { header: 'Date', cell: ({ creation_date }) => formatDateTime(creation_date) },
      ]}
      rows={asyncStateOf(requests)}
      rowKey={({ id }) => id}
      rowHref={({ customer_id }) => `/operator/customers/${customer_id}`}
      onRetry={() => void requests.refetch()}
      empty={
        <EmptyState
          icon="account"
          title="No requests yet"
          description="Customers who ask to be called appear here."
        />
      }
    />
  );
}

const sentTo = ({ deliveries }: CallRequest): string =>
  deliveries
    .map(({ channel, accepted_date, problem }) =>
      accepted_date === null ? `${channel}: ${problem ?? 'waiting'}` : channel,
    )
    .join(', ') || 'nobody';
