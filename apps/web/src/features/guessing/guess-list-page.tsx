import type { GuessList } from '@assay/contract';
import { Navigate, useNavigate, useParams } from 'react-router';
import * as z from 'zod/mini';
import { AsyncSlot } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { RowActionMenu } from '../../shared/components/data-grid/row-action-menu.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { ProcessingNotice } from '../../shared/components/processing-notice.tsx';
import { peopleText } from '../../shared/format/count-words.ts';
import { percentDone } from '../../shared/format/percent-done.ts';
import { ListSkeleton } from '../../shared/list-summary/list-skeleton.tsx';
import { ListSummary } from '../../shared/list-summary/list-summary.tsx';
import { useExportList } from './api/export-list.ts';
import { useList } from './api/get-list.ts';
import { useListActions } from './components/use-list-actions.tsx';
import { gridPath } from './grid-paging.ts';
import { PeopleGrid } from './list-detail/people-grid.tsx';
import { categoriesOf, outcomesOf } from './outcomes.ts';
import { useListEvents } from './realtime/use-list-events.ts';

const idSchema = z.uuid();

export function GuessListPage() {
  const { id } = useParams();
  // What cannot be the id of a list is answered like the id of none.
  if (!idSchema.safeParse(id).success) return <Navigate to="/not-found" replace />;
  return <GuessListDetail key={id} listId={id as string} />;
}

function GuessListDetail({ listId }: { listId: string }) {
  const list = useList(listId);
  const liveProgress = useListEvents().get(listId);
  return (
    <>
      <title>{`${list.data?.name ?? 'List'} · Assay`}</title>
      <ListHeader list={list.data} />
      <AsyncSlot
        state={asyncStateOf(list)}
        name="list"
        onRetry={() => void list.refetch()}
        skeleton={<ListSkeleton />}
      >
        {(loaded) => (
          <>
            {loaded.status === 'COMPLETE' ? null : (
              <ProcessingNotice percent={percentDone(loaded.progress, liveProgress)} what="People guessed" />
            )}
            <GuessResults list={loaded} />
            <PeopleGrid listId={listId} />
          </>
        )}
      </AsyncSlot>
    </>
  );
}

function ListHeader({ list }: { list: GuessList | undefined }) {
  const navigate = useNavigate();
  const { actionsOf, dialogs } = useListActions({ onDeleted: () => void navigate(gridPath('bulk')) });
  return (
    <>
      <PageHeader
        title={list?.name ?? 'List'}
        back={{ to: gridPath('bulk'), label: 'Back to bulk guesses' }}
        actions={list ? <RowActionMenu actions={actionsOf(list)} label={`Actions for ${list.name}`} /> : null}
      />
      {dialogs}
    </>
  );
}

function GuessResults({ list }: { list: GuessList }) {
  const exportList = useExportList();
  const categories = categoriesOf(list);
  return (
    <ListSummary
      categories={categories}
      completed={categories.reduce((sum, { count }) => sum + count, 0)}
      isDownloading={exportList.isPending}
      countText={peopleText}
      onDownload={(verdicts) => exportList.mutate({ list, outcomes: outcomesOf(verdicts) })}
    />
  );
}
