import type { GuessList } from '@assay/contract';
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
import { useListActions } from '../components/use-list-actions.tsx';
import { useListEvents } from '../realtime/use-list-events.ts';

interface GuessListsGridProps {
  lists: ReturnType<typeof useLists>;
  paging: Paging;
  onPagingChange: (paging: Paging) => void;
}

const detailPath = ({ id }: GuessList): string => `/email-guessing/${id}`;

export function GuessListsGrid({ lists, paging, onPagingChange }: GuessListsGridProps) {
  const navigate = useNavigate();
  const liveProgress = useListEvents();
  const { actionsOf, dialogs } = useListActions();
  const counts = [
    ['Found', 'found'],
    ['Catch all', 'catch_all'],
    ['Not found', 'not_found'],
    ['Unknown', 'unknown'],
  ] as const;
  return (
    <>
      <DataGrid<GuessList>
        name="bulk guesses"
        columns={[
          { header: 'File name', cell: ({ name }) => name },
          { header: 'People', align: 'end', cell: ({ total_people }) => <ShortCount of={total_people} /> },
          ...counts.map(([header, count]) => ({
            header,
            align: 'end' as const,
            cell: ({ guess_metrics }: GuessList) => <ShortCount of={guess_metrics[count]} />,
          })),
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
            title="No lists of people yet"
            description="Import a CSV file with the button above. You see what it costs before anything is charged."
          />
        }
      />
      {dialogs}
    </>
  );
}
