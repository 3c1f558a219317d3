import type { Verdict } from '@assay/contract';
import { Button, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { asyncStateOf } from '../components/async-state.ts';
import { DataGrid } from '../components/data-grid/data-grid.tsx';
import type { GridPageProps } from '../components/data-grid/grid-page.ts';
import { GridTools } from '../components/data-grid/grid-tools.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Icon } from '../components/icon.tsx';
import { NoMatch } from '../components/no-match.tsx';
import { SearchField } from '../components/search-field.tsx';
import { ShortCount } from '../components/short-count.tsx';
import { type BarPart, VerdictBar } from '../components/verdict-bar.tsx';
import { VerdictMark } from '../components/verdict-mark.tsx';
import { formatDate } from '../format/dates.ts';
import type { AnyList } from './any-list.ts';
import type { DeleteById } from './list-calls.ts';
import type { ListKeys } from './list-keys.ts';
import { ListStatus } from './list-status.tsx';
import classes from './lists-grid.module.css';
import { progressMark } from './progress-mark.ts';
import type { ListActions } from './use-list-dialogs.tsx';
import { listsText, useSelectedLists } from './use-selected-lists.tsx';

interface CountColumn<List> {
  readonly header: string;
  readonly of: (list: List) => number;
  /** The mark of the results that are counted, and their part of the bar. */
  readonly verdict?: Verdict;
}

interface ListsGridProps<List> extends GridPageProps<List> {
  /** What the lists are, in the plural, as the grid is called. */
  name: string;
  nameCell: (list: List) => ReactNode;
  /** A column each, in this order. */
  counts: readonly CountColumn<List>[];
  keys: ListKeys;
  deleteById: DeleteById;
  detailPath: (list: List) => string;
  actions: ListActions<List>;
  /** The later of a loaded list and what the live line said of it. */
  live: (list: List) => List;
  emptyTitle: string;
  /** The title of the page, which shows how far the newest list that runs is. */
  pageTitle: string;
}

/** The lists of one kind: how large, how far, and what became of their rows. */
export function ListsGrid<List extends AnyList>({
  name,
  page,
  paging,
  onPagingChange,
  filter,
  onFilterChange,
  nameCell,
  counts,
  keys,
  deleteById,
  detailPath,
  actions,
  live,
  emptyTitle,
  pageTitle,
}: ListsGridProps<List>) {
  const navigate = useNavigate();
  const { selected, selection, askToDelete, dialog } = useSelectedLists(
    page.data?.results ?? [],
    keys,
    deleteById,
  );
  const isFiltered = filter.search !== '';
  const running = page.data?.results.map(live).find((list) => progressMark(list) !== '');
  return (
    <>
      <title>{`${progressMark(running)}${pageTitle} · Assay`}</title>
      <GridTools>
        <SearchField
          label="Search lists"
          lengthMax={SEARCH_LENGTH_MAX}
          search={filter.search}
          onSearch={(search) => onFilterChange({ search })}
        />
        <NativeSelect
          aria-label="Sort lists by"
          value={filter.sort}
          data={sortOptions}
          onChange={({ currentTarget }) => onFilterChange({ sort: currentTarget.value })}
        />
        {selected.length === 0 ? null : (
          <Button
            variant="light"
            color="danger"
            leftSection={<Icon name="remove" size={18} />}
            onClick={askToDelete}
          >
            {`Delete ${listsText(selected.length)}`}
          </Button>
        )}
      </GridTools>
      <DataGrid<List>
        name={name}
        columns={[
          {
            header: 'File name',
            cellHeight: 'calc(1lh + var(--verdict-bar-space, 0px))',
            cell: (list) => (
              <>
                {nameCell(list)}
                <VerdictBar parts={partsOf(counts, live(list))} />
              </>
            ),
          },
          ...counts.map((count) => ({
            header: count.header,
            align: 'end' as const,
            // The mark of a verdict says what its number counts.
            ...(count.verdict === undefined && { compact: 'labelled' as const }),
            cell: (list: List) => <MarkedCount of={count.of(live(list))} verdict={count.verdict} />,
          })),
          { header: 'Date', cell: ({ creation_date }) => formatDate(creation_date) },
          {
            header: 'Status',
            cell: (list) => <ListStatus list={live(list)} />,
            compact: 'beside',
          },
        ]}
        rows={asyncStateOf(page)}
        rowKey={({ id }) => id}
        rowHref={detailPath}
        selection={selection}
        rowMenu={{
          rowName: (list) => list.name,
          actions: (list) => [
            { label: 'Details', icon: 'details', onSelect: () => void navigate(detailPath(list)) },
            ...actions.actionsOf(live(list)),
          ],
        }}
        paging={paging}
        onPagingChange={onPagingChange}
        onRetry={() => void page.refetch()}
        empty={
          isFiltered ? (
            <NoMatch
              title="No lists match"
              description="No list has this in its name."
              showAll="Show all lists"
              onShowAll={() => onFilterChange({ search: '' })}
            />
          ) : (
            <EmptyState
              icon="upload"
              title={emptyTitle}
              description="Import a CSV file with the button above. You see what it costs before anything is charged."
            />
          )
        }
      />
      {actions.dialogs}
      {dialog}
    </>
  );
}

const SEARCH_LENGTH_MAX = 100;

const sortOptions = [
  { value: '', label: 'Newest first' },
  { value: 'creation_date', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
  { value: '-size', label: 'Largest first' },
  { value: 'size', label: 'Smallest first' },
];

const partsOf = <List,>(counts: readonly CountColumn<List>[], list: List): BarPart[] =>
  counts.flatMap(({ verdict, of }) => (verdict ? [{ verdict, count: of(list) }] : []));

/** A count with the mark of its verdict; zeros step back. */
function MarkedCount({ of: count, verdict }: { of: number; verdict: Verdict | undefined }) {
  return (
    <span className={classes.count} data-zero={count === 0}>
      {verdict ? (
        <span className={classes.mark} aria-hidden="true">
          <VerdictMark verdict={verdict} size={14} />
        </span>
      ) : null}
      <ShortCount of={count} />
    </span>
  );
}
