import type { GuessList, Verdict } from '@assay/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { DEFAULT_PAGING } from '../../shared/components/data-grid/paging.ts';
import { peopleText } from '../../shared/format/count-words.ts';
import { DownloadFormat, useDownloadFormat } from '../../shared/list-summary/download-format.tsx';
import { ListSkeleton } from '../../shared/list-summary/list-skeleton.tsx';
import { type ChoiceChange, ListSummary } from '../../shared/list-summary/list-summary.tsx';
import { excludedWords, fileRowsOf } from '../../shared/lists/file-rows.ts';
import { ListFacts } from '../../shared/lists/list-facts.tsx';
import { ListOfAddress, ListPage } from '../../shared/lists/list-page.tsx';
import { useDeletedElsewhere } from '../../shared/lists/use-deleted-elsewhere.ts';
import { useKnownName } from '../../shared/lists/use-known-name.ts';
import { useExportList } from './api/export-list.ts';
import { useList } from './api/get-list.ts';
import { guessListKeys } from './api/keys.ts';
import { peopleWords } from './bulk/people-words.ts';
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
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const [chosen, setChosen] = useState<readonly Verdict[]>([]);
  const choose = (change: ChoiceChange) => {
    setChosen(change);
    setPaging((before) => ({ ...before, page: DEFAULT_PAGING.page }));
  };
  const people = (list: GuessList | undefined) => (
    <PeopleGrid list={list} view={{ paging, outcomes: outcomesOf(chosen) }} onPagingChange={setPaging} />
  );
  return (
    <ListPage
      list={list}
      knownName={useKnownName(guessListKeys, listId)}
      live={useListEvents()}
      actions={useListActions({ onDeleted: leave })}
      back={{ to: gridPaging.gridPath('bulk'), label: 'Back to bulk guesses' }}
      progressLabel="People guessed"
      rowsText={peopleText}
      skeleton={
        <>
          <ListSkeleton />
          {people(undefined)}
        </>
      }
    >
      {(list) => (
        <>
          <GuessResults list={list} chosen={chosen} onChoose={choose} />
          {people(list)}
        </>
      )}
    </ListPage>
  );
}

interface GuessResultsProps {
  list: GuessList;
  chosen: readonly Verdict[];
  onChoose: (change: ChoiceChange) => void;
}

/** How the people of a list divide, and the download of the chosen part. The chosen cards also filter the people below. */
function GuessResults({ list, chosen, onChoose }: GuessResultsProps) {
  const exportList = useExportList();
  const [format, setFormat] = useDownloadFormat();
  const categories = categoriesOf(list);
  return (
    <ListSummary
      categories={categories}
      completed={categories.reduce((sum, { count }) => sum + count, 0)}
      total={list.total_people}
      isDownloading={exportList.isPending}
      countText={peopleText}
      chosen={chosen}
      onChoose={onChoose}
      onDownload={(verdicts) => exportList.mutate({ list, outcomes: outcomesOf(verdicts), format })}
      options={<DownloadFormat value={format} onChange={setFormat} />}
      facts={
        <ListFacts
          list={list}
          rows={fileRowsOf(list.total_people, list.excluded_people)}
          note={excludedWords(list.excluded_people, peopleWords)}
        />
      }
    />
  );
}
