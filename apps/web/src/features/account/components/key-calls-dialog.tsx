import type { KeyCall } from '@assay/contract';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import { DEFAULT_PAGING } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { formatDateTime } from '../../../shared/format/dates.ts';
import { useKeyCalls } from '../api/key-calls.ts';

interface KeyCallsDialogProps {
  isOpen: boolean;
  apiKey: { readonly id: string; readonly name: string };
  onClose: () => void;
}

export function KeyCallsDialog({ isOpen, apiKey, onClose }: KeyCallsDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Calls of ${apiKey.name}`} size="48rem">
      <KeyCalls keyId={apiKey.id} />
    </Modal>
  );
}

/** The last calls of an API key. */
function KeyCalls({ keyId }: { keyId: string }) {
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const calls = useKeyCalls(keyId, paging);
  return (
    <DataGrid
      name="calls"
      columns={[
        { header: 'Call', cell: callText, isText: true },
        { header: 'Status', cell: ({ http_status }) => http_status, align: 'end', compact: 'labelled' },
        { header: 'Took', cell: tookText, align: 'end', compact: 'labelled' },
        { header: 'Date', cell: ({ date }) => formatDateTime(date) },
      ]}
      rows={asyncStateOf(calls)}
      rowKey={({ date, call, took_ms }) => `${date} ${call} ${took_ms}`}
      paging={paging}
      onPagingChange={setPaging}
      onRetry={() => void calls.refetch()}
      empty={
        <EmptyState
          icon="api"
          title="This key made no calls yet."
          description="Its last 1,000 calls appear here, each with its status and how long it took."
        />
      }
    />
  );
}

/** Parameters as the reference writes them. */
const callText = ({ call }: KeyCall): string => call.replaceAll(/:(\w+)/g, '{$1}');

const tookText = ({ took_ms: ms }: KeyCall): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
