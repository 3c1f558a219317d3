import type { GuessList } from '@assay/contract';
import type { GridPageProps } from '../../../shared/components/data-grid/grid-page.ts';
import { ListsGrid } from '../../../shared/lists/lists-grid.tsx';
import { useDeleteById } from '../api/delete-list.ts';
import { guessListKeys } from '../api/keys.ts';
import { useListActions } from '../components/use-list-actions.tsx';
import { useListEvents } from '../realtime/use-list-events.ts';

export function GuessListsGrid(page: GridPageProps<GuessList>) {
  const deleteById = useDeleteById();
  return (
    <ListsGrid
      keys={guessListKeys}
      deleteById={deleteById}
      {...page}
      name="bulk guesses"
      nameCell={({ name }) => <bdi>{name}</bdi>}
      counts={[
        { header: 'People', of: ({ total_people }) => total_people },
        { header: 'Found', verdict: 'VALID', of: ({ guess_metrics }) => guess_metrics.found },
        { header: 'Catch all', verdict: 'CATCH_ALL', of: ({ guess_metrics }) => guess_metrics.catch_all },
        { header: 'Not found', verdict: 'INVALID', of: ({ guess_metrics }) => guess_metrics.not_found },
        { header: 'Unknown', verdict: 'UNKNOWN', of: ({ guess_metrics }) => guess_metrics.unknown },
      ]}
      detailPath={({ id }) => `/email-guessing/${id}`}
      actions={useListActions()}
      live={useListEvents()}
      emptyTitle="No lists of people yet"
      pageTitle="Email guessing"
    />
  );
}
