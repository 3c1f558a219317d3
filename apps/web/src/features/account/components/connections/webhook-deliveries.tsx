import type { Webhook, WebhookDelivery } from '@assay/contract';
import { useState } from 'react';
import { asyncStateOf } from '../../../../shared/components/async-state.ts';
import { DataGrid } from '../../../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING } from '../../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../../shared/components/empty-state.tsx';
import { VerdictMark } from '../../../../shared/components/verdict-mark.tsx';
import { formatDateTime } from '../../../../shared/format/dates.ts';
import { useDeliveries, useSendAgain } from '../../api/webhooks.ts';
import { eventName } from '../../webhook-events.ts';
import classes from './connections.module.css';

export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const deliveries = useDeliveries(webhook, paging);
  const sendAgain = useSendAgain(webhook);
  return (
    <>
      <h4 className={classes.part}>Deliveries</h4>
      <DataGrid
        name="deliveries"
        columns={[
          { header: 'Event', cell: ({ event_type }) => eventName(event_type) },
          { header: 'Status', cell: ({ status }) => <Status status={status} />, compact: 'beside' },
          { header: 'Answer', cell: answerText, isText: true },
          { header: 'Date', cell: ({ creation_date }) => formatDateTime(creation_date) },
        ]}
        rows={asyncStateOf(deliveries)}
        rowKey={({ id }) => id}
        paging={paging}
        onPagingChange={setPaging}
        onRetry={() => void deliveries.refetch()}
        rowMenu={{
          rowName: (delivery) =>
            `${eventName(delivery.event_type)}, ${formatDateTime(delivery.creation_date)}`,
          actions: ({ id }) => [{ label: 'Send again', icon: 'retry', onSelect: () => sendAgain.mutate(id) }],
        }}
        empty={
          <EmptyState
            icon="api"
            title="Nothing was sent yet."
            description="Events appear here when a single or a list is finished, a list fails, or you send a test."
          />
        }
      />
    </>
  );
}

const statuses = {
  PENDING: { mark: 'PENDING', word: 'Waiting' },
  DELIVERED: { mark: 'VALID', word: 'Delivered' },
  FAILED: { mark: 'INVALID', word: 'Failed' },
} as const;

function Status({ status }: Pick<WebhookDelivery, 'status'>) {
  const { mark, word } = statuses[status];
  return (
    <span className={classes.status}>
      <span aria-hidden="true">
        <VerdictMark verdict={mark} size={18} />
      </span>
      {word}
    </span>
  );
}

function answerText({ error, response_status, attempts }: WebhookDelivery): string {
  if (attempts === 0) return error ?? '–';
  const answer = error ?? `Answered ${response_status}.`;
  return attempts === 1 ? answer : `${answer} ${attempts} tries.`;
}
