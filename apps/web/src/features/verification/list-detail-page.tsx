import type { ValidationList } from '@assay/contract';
import { Navigate, useNavigate, useParams } from 'react-router';
import * as z from 'zod/mini';
import { AsyncSlot } from '../../shared/components/async-slot.tsx';
import { asyncStateOf } from '../../shared/components/async-state.ts';
import { RowActionMenu } from '../../shared/components/data-grid/row-action-menu.tsx';
import { PageHeader } from '../../shared/components/page-header.tsx';
import { ProcessingNotice } from '../../shared/components/processing-notice.tsx';
import { percentDone } from '../../shared/format/percent-done.ts';
import { ListSkeleton } from '../../shared/list-summary/list-skeleton.tsx';
import { useList } from './api/get-list.ts';
import { useListActions } from './components/use-list-actions.tsx';
import { gridPath } from './grid-paging.ts';
import { ListEmails } from './list-detail/list-emails.tsx';
import { ListResults } from './list-detail/list-results.tsx';
import { useListEvents } from './realtime/use-list-events.ts';

const idSchema = z.uuid();

export function ListDetailPage() {
  const { id } = useParams();
  // What cannot be the id of a list is answered like the id of none.
  if (!idSchema.safeParse(id).success) return <Navigate to="/not-found" replace />;
  return <ListDetail key={id} listId={id as string} />;
}

function ListDetail({ listId }: { listId: string }) {
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
              <ProcessingNotice percent={percentDone(loaded.progress, liveProgress)} what="Emails verified" />
            )}
            <ListResults list={loaded} />
            <ListEmails listId={listId} />
          </>
        )}
      </AsyncSlot>
    </>
  );
}

function ListHeader({ list }: { list: ValidationList | undefined }) {
  const navigate = useNavigate();
  const { actionsOf, dialogs } = useListActions({ onDeleted: () => void navigate(gridPath('bulk')) });
  return (
    <>
      <PageHeader
        title={list?.name ?? 'List'}
        back={{ to: gridPath('bulk'), label: 'Back to bulk verifications' }}
        actions={list ? <RowActionMenu actions={actionsOf(list)} label={`Actions for ${list.name}`} /> : null}
      />
      {dialogs}
    </>
  );
}
