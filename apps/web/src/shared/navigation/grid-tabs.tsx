import { Tabs } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useNavigate } from 'react-router';
import { type GridFilter, type GridPageProps, NO_FILTER } from '../components/data-grid/grid-page.ts';
import { DEFAULT_PAGING, type Paging } from '../components/data-grid/paging.ts';
import { formatCredits } from '../format/counts.ts';
import { type Grid, type GridPaging, useLastPage } from './grid-paging.ts';
import classes from './grid-tabs.module.css';

interface GridTab<Row> {
  /** The tab's text before its total. */
  readonly label: string;
  readonly usePage: (paging: Paging, filter: GridFilter) => GridPageProps<Row>['page'];
  readonly Rows: ComponentType<GridPageProps<Row>>;
}

interface GridTabsProps<SingleRow, BulkRow> {
  grid: Grid;
  gridPaging: GridPaging;
  single: GridTab<SingleRow>;
  bulk: GridTab<BulkRow>;
}

/** The two grids of an area, one of them shown, each with its total on its tab. */
export function GridTabs<SingleRow, BulkRow>({
  grid,
  gridPaging: { gridPath, useGridPaging },
  single,
  bulk,
}: GridTabsProps<SingleRow, BulkRow>) {
  const navigate = useNavigate();
  const { paging, setPaging, filter, setFilter } = useGridPaging(grid);
  const placeOf = (tab: Grid) =>
    grid === tab ? ([paging, filter] as const) : ([DEFAULT_PAGING, NO_FILTER] as const);
  const singles = single.usePage(...placeOf('single'));
  const lists = bulk.usePage(...placeOf('bulk'));
  // The tabs count everything, also while a search shows a part. Without a search this is the query of the page itself.
  const totalPlaceOf = (tab: Grid) =>
    filter.search === '' ? placeOf(tab) : ([DEFAULT_PAGING, NO_FILTER] as const);
  const allSingles = single.usePage(...totalPlaceOf('single'));
  const allLists = bulk.usePage(...totalPlaceOf('bulk'));
  const shared = { paging, onPagingChange: setPaging, filter, onFilterChange: setFilter };
  const shown = grid === 'single' ? singles : lists;
  useLastPage(paging, shown.isPlaceholderData ? undefined : shown.data?.total, setPaging);

  return (
    <Tabs
      value={grid}
      onChange={(next) => void navigate(gridPath(next as Grid))}
      classNames={{ root: classes.tabs, tab: classes.tab, panel: classes.panel }}
    >
      <Tabs.List>
        <Tabs.Tab value="single">{labelOf(single, allSingles)}</Tabs.Tab>
        <Tabs.Tab value="bulk">{labelOf(bulk, allLists)}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={grid}>
        {grid === 'single' ? (
          <single.Rows page={singles} {...shared} />
        ) : (
          <bulk.Rows page={lists} {...shared} />
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

const labelOf = (
  { label }: { readonly label: string },
  { data }: UseQueryResult<{ readonly total: number }>,
): string => (data === undefined ? label : `${label} (${formatCredits(data.total)})`);
