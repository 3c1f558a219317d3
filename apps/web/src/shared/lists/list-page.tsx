import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { Navigate, useParams } from 'react-router';
import * as z from 'zod/mini';
import { AsyncSlot } from '../components/async-slot.tsx';
import { asyncStateOf } from '../components/async-state.ts';
import { RowActionMenu } from '../components/data-grid/row-action-menu.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { percentDone } from '../format/percent-done.ts';
import { ListSkeleton } from '../list-summary/list-skeleton.tsx';
import type { AnyList } from './any-list.ts';
import { ProcessingNotice } from './processing-notice.tsx';
import type { ListActions } from './use-list-dialogs.tsx';

const idSchema = z.uuid();

/** The page of the list that the address names. */
export function ListOfAddress({ page: Page }: { page: ComponentType<{ listId: string }> }) {
  const { id } = useParams();
  const listId = idSchema.safeParse(id);
  // What cannot be the id of a list is answered like the id of none.
  if (!listId.success) return <Navigate to="/not-found" replace />;
  return <Page key={listId.data} listId={listId.data} />;
}

interface ListPageProps<List extends AnyList> {
  list: UseQueryResult<List>;
  /** What the live line said last. */
  liveProgress: number | undefined;
  actions: ListActions<List>;
  back: { readonly to: string; readonly label: string };
  /** What the bar counts while the list runs: 'Emails verified'. */
  progressLabel: string;
  /** What became of it, and everything in it. */
  children: (list: List) => ReactNode;
}

/** One list: its name, what can be done with it, how far it is, and what is in it. */
export function ListPage<List extends AnyList>({
  list,
  liveProgress,
  actions,
  back,
  progressLabel,
  children,
}: ListPageProps<List>) {
  const name = list.data?.name ?? 'List';
  return (
    <>
      <title>{`${name} · Assay`}</title>
      <PageHeader
        title={name}
        back={back}
        actions={
          list.data ? (
            <RowActionMenu actions={actions.actionsOf(list.data)} label={`Actions for ${name}`} />
          ) : null
        }
      />
      {actions.dialogs}
      <AsyncSlot
        state={asyncStateOf(list)}
        name="list"
        onRetry={() => void list.refetch()}
        skeleton={<ListSkeleton />}
      >
        {(loaded) => (
          <>
            {loaded.status === 'COMPLETE' ? null : (
              <ProcessingNotice percent={percentDone(loaded.progress, liveProgress)} what={progressLabel} />
            )}
            {children(loaded)}
          </>
        )}
      </AsyncSlot>
    </>
  );
}
