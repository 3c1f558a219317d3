import { Button, Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useCallback } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import { leaveFiles } from '../bulk-import/left-files.ts';
import { PageDropCover } from '../bulk-import/page-drop-cover.tsx';
import { usePageDrop } from '../bulk-import/use-page-drop.ts';
import { AsyncSlot } from '../components/async-slot.tsx';
import { asyncStateOf } from '../components/async-state.ts';
import { RowActionMenu } from '../components/data-grid/row-action-menu.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { isolated } from '../format/isolated.ts';
import type { AnyList } from './any-list.ts';
import { wasDeleted } from './deleted-lists.ts';
import { isListId } from './list-id.ts';
import { ProcessingNotice } from './processing-notice.tsx';
import { progressMark } from './progress-mark.ts';
import type { ListActions } from './use-list-dialogs.tsx';

interface ListOfAddressProps {
  page: ComponentType<{ listId: string }>;
  gridPath: string;
}

/** The page of the list that the address names. */
export function ListOfAddress({ page: Page, gridPath }: ListOfAddressProps) {
  const { id } = useParams();
  // What cannot be the id of a list is answered like the id of none.
  if (id === undefined || !isListId(id)) return <Navigate to="/not-found" replace />;
  if (wasDeleted(id)) return <Navigate to={gridPath} replace />;
  return <Page key={id} listId={id} />;
}

/** In place of the rows of a list that has none. */
function WithoutRows<List extends AnyList>({ list, actions }: { list: List; actions: ListActions<List> }) {
  const { preparation, run_state } = list;
  if (preparation?.problem) {
    return (
      <EmptyState
        icon="warning"
        title="This list could not be prepared"
        description={`${preparation.problem.message} Nothing was charged.`}
        action={
          <Group justify="center">
            {preparation.problem.code === 'insufficient_credits' ? (
              <Button component={Link} to="/billing/packs">
                Buy credits
              </Button>
            ) : null}
            {actions.controlsOf(list).map(({ label, onSelect }) => (
              <Button key={label} variant="default" onClick={onSelect}>
                {label}
              </Button>
            ))}
          </Group>
        }
      />
    );
  }
  const isPaused = run_state === 'paused';
  return (
    <EmptyState
      icon="upload"
      title="The rows of your file are being copied"
      description={
        isPaused
          ? 'They appear here when they are there. The list stays paused then.'
          : 'They appear here when they are there, and are verified then. You can leave this page.'
      }
    />
  );
}

interface ListPageProps<List extends AnyList> {
  list: UseQueryResult<List>;
  /** Its name while it loads, if a grid has shown it. */
  knownName: string | undefined;
  /** The later of the loaded list and what the live line said of it. */
  live: (list: List) => List;
  actions: ListActions<List>;
  back: { readonly to: string; readonly label: string };
  /** What the bar counts while the list runs: 'Emails verified'. */
  progressLabel: string;
  /** '1 email', '1,234 emails'. */
  rowsText: (count: number) => string;
  /** The shape of the content while the list loads. */
  skeleton: ReactNode;
  /** What became of it, and everything in it. */
  children: (list: List) => ReactNode;
}

/** One list: its name, actions, progress and content. */
export function ListPage<List extends AnyList>({
  list,
  knownName,
  live,
  actions,
  back,
  progressLabel,
  rowsText,
  skeleton,
  children,
}: ListPageProps<List>) {
  const name = list.data?.name ?? knownName;
  const navigate = useNavigate();
  const importFiles = useCallback(
    (files: readonly File[]) => {
      leaveFiles(files);
      void navigate(back.to);
    },
    [navigate, back.to],
  );
  const isDragging = usePageDrop(importFiles);
  return (
    <>
      <title>
        {name === undefined
          ? 'Assay'
          : `${progressMark(list.data && live(list.data))}${isolated(name)} · Assay`}
      </title>
      <PageHeader
        title={name ?? (list.isError ? 'List' : undefined)}
        back={back}
        actions={
          list.data ? (
            <RowActionMenu
              actions={actions.actionsOf(live(list.data))}
              label={`Actions for ${list.data.name}`}
            />
          ) : null
        }
      />
      {actions.dialogs}
      {isDragging ? <PageDropCover /> : null}
      <AsyncSlot
        state={asyncStateOf(list)}
        name="list"
        onRetry={() => void list.refetch()}
        skeleton={skeleton}
      >
        {(loaded) => {
          const current = live(loaded);
          return (
            <>
              {current.status === 'COMPLETE' || current.run_state === 'failed' ? null : (
                <ProcessingNotice
                  list={current}
                  what={progressLabel}
                  rowsText={rowsText}
                  controls={actions.controlsOf(current)}
                />
              )}
              {current.preparation === null ? (
                children(current)
              ) : (
                <WithoutRows list={current} actions={actions} />
              )}
            </>
          );
        }}
      </AsyncSlot>
    </>
  );
}
