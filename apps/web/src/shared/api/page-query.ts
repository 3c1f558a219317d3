import type { GridFilter } from '../components/data-grid/grid-page.ts';
import type { Paging } from '../components/data-grid/paging.ts';

/** A grid's paging as the calls take it. */
export const pageQueryOf = ({ page, pageSize }: Paging) => ({ page_number: page, page_size: pageSize });

const listSorts = ['creation_date', '-creation_date', 'name', '-name', 'size', '-size'] as const;

/** The filter of a grid of lists as the calls take it. An order that they do not know is left out. */
export const listsFilterOf = ({ search, sort }: GridFilter) => ({
  search: search === '' ? undefined : search,
  sort: listSorts.find((known) => known === sort),
});
