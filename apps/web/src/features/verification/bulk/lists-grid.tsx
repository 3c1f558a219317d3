import type { ValidationList } from '@assay/contract';
import { useNavigate } from 'react-router';
import { asyncStateOf } from '../../../shared/components/async-state.ts';
import { DataGrid } from '../../../shared/components/data-grid/data-grid.tsx';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { ListStatus } from '../../../shared/components/list-status.tsx';
import { ShortCount } from '../../../shared/components/short-count.tsx';
import { formatDate } from '../../../shared/format/dates.ts';
import type { useLists } from '../api/get-lists.ts';
import { SandboxMark } from '../components/sandbox-mark.tsx';
import { useListActions } from '../components/use-list-actions.tsx';
import { useListEvents } from '../realtime/use-list-events.ts';

interface ListsGridProps {
  lists: ReturnType<typeof useLists>;
  paging: Paging;
  onPagingChange: (paging: Paging) => void;
}

const detailPath = ({ id }: ValidationList): string => `/email-verification/bulk/${id}`;

export function ListsGrid({ lists, paging, onPagingChange }: ListsGridProps) {
  const navigate = useNavigate();
  const liveProgress = useListEvents();
  const { actionsOf, dialogs } = useListActions();
  return (
    <>
      <DataGrid<ValidationList>
        name="bulk verifications"
        columns={[
          {
            header: 'File name',
            cell: ({ name, sandbox }) => <SandboxMark name={name} isSandbox={sandbox} />,
          },
          { header: 'Emails', align: 'end', cell: ({ total_emails }) => <ShortCount of={total_emails} /> },
          {
            header: 'Valid',
            align: 'end',
            cell: ({ email_metrics }) => <ShortCount of={email_metrics.valid_emails} />,
          },
          {
            header: 'Invalid',
            align: 'end',
            cell: ({ email_metrics }) => <ShortCount of={email_metrics.invalid_emails} />,
          },
          {
            header: 'Catch all',
            align: 'end',
            cell: ({ email_metrics }) => <ShortCount of={email_metrics.catch_all_emails} />,
          },
          {
            header: 'Unknown',
            align: 'end',
            cell: ({ email_metrics }) => <ShortCount of={email_metrics.unknown_emails} />,
          },
          { header: 'Date', cell: ({ creation_date }) => formatDate(creation_date) },
          { header: 'Status', cell: (list) => <ListStatus list={list} live={liveProgress.get(list.id)} /> },
        ]}
        rows={asyncStateOf(lists)}
        rowKey={({ id }) => id}
        rowHref={detailPath}
        rowMenu={{
          rowName: ({ name }) => name,
          actions: (list) => [
            { label: 'Details', icon: 'details', onSelect: () => void navigate(detailPath(list)) },
            ...actionsOf(list),
          ],
        }}
        paging={paging}
        onPagingChange={onPagingChange}
        onRetry={() => void lists.refetch()}
        empty={
          <EmptyState
            icon={<Icon name="upload" size={32} />}
            title="No lists yet"
            description="Import a CSV file with the button above. You see what it costs before anything is charged."
          />
        }
      />
      {dialogs}
    </>
  );
}
