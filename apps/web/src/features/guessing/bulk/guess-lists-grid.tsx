import type { GuessList } from '@assay/contract';
import type { GridPageProps } from '../../../shared/components/data-grid/grid-page.ts';
import { ListsGrid } from '../../../shared/lists/lists-grid.tsx';
import { useListActions } from '../components/use-list-actions.tsx';
import { useListEvents } from '../realtime/use-list-events.ts';

export const GuessListsGrid = (page: GridPageProps<GuessList>) => (
  <ListsGrid
    {...page}
    name="bulk guesses"
    nameCell={({ name }) => name}
    counts={[
      { header: 'People', of: ({ total_people }) => total_people },
      { header: 'Found', of: ({ guess_metrics }) => guess_metrics.found },
      { header: 'Catch all', of: ({ guess_metrics }) => guess_metrics.catch_all },
      { header: 'Not found', of: ({ guess_metrics }) => guess_metrics.not_found },
      { header: 'Unknown', of: ({ guess_metrics }) => guess_metrics.unknown },
    ]}
    detailPath={({ id }) => `/email-guessing/${id}`}
    actions={useListActions()}
    live={useListEvents()}
    emptyTitle="No lists of people yet"
  />
);
