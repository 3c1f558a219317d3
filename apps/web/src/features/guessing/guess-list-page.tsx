import type { GuessList } from '@assay/contract';
import { useNavigate } from 'react-router';
import { peopleText } from '../../shared/format/count-words.ts';
import { DownloadFormat, useDownloadFormat } from '../../shared/list-summary/download-format.tsx';
import { ListSummary } from '../../shared/list-summary/list-summary.tsx';
import { ListFacts } from '../../shared/lists/list-facts.tsx';
import { ListOfAddress, ListPage } from '../../shared/lists/list-page.tsx';
import { useDeletedElsewhere } from '../../shared/lists/use-deleted-elsewhere.ts';
import { useExportList } from './api/export-list.ts';
import { useList } from './api/get-list.ts';
import { useListActions } from './components/use-list-actions.tsx';
import { gridPaging } from './grid-paging.ts';
import { PeopleGrid } from './list-detail/people-grid.tsx';
import { categoriesOf, outcomesOf } from './outcomes.ts';
import { useListEvents } from './realtime/use-list-events.ts';

export const GuessListPage = () => (
  <ListOfAddress page={GuessListDetail} gridPath={gridPaging.gridPath('bulk')} />
);

function GuessListDetail({ listId }: { listId: string }) {
  const navigate = useNavigate();
  const list = useList(listId);
  // Replaces the deleted list's page in the history, so that 'Back' does not lead there.
  const leave = () => void navigate(gridPaging.gridPath('bulk'), { replace: true });
  useDeletedElsewhere(listId, list.data, leave);
  return (
    <ListPage
      list={list}
      live={useListEvents()}
      actions={useListActions({ onDeleted: leave })}
      back={{ to: gridPaging.gridPath('bulk'), label: 'Back to bulk guesses' }}
      progressLabel="People guessed"
      rowsText={peopleText}
    >
      {(list) => (
        <>
          <ListFacts list={list} />
          <GuessResults list={list} />
          <PeopleGrid listId={listId} />
        </>
      )}
    </ListPage>
  );
}

function GuessResults({ list }: { list: GuessList }) {
  const exportList = useExportList();
  const [format, setFormat] = useDownloadFormat();
  const categories = categoriesOf(list);
  return (
    <ListSummary
      categories={categories}
      completed={categories.reduce((sum, { count }) => sum + count, 0)}
      isDownloading={exportList.isPending}
      countText={peopleText}
      onDownload={(verdicts) => exportList.mutate({ list, outcomes: outcomesOf(verdicts), format })}
      options={<DownloadFormat value={format} onChange={setFormat} />}
    />
  );
}
