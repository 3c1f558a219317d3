import { useEffect, useEffectEvent } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router';
import { tabStorage } from '../cache/browser-storage.ts';
import type { GridFilter } from '../components/data-grid/grid-page.ts';
import {
  DEFAULT_PAGING,
  PAGE_MAX,
  PAGE_SIZES,
  type PageSize,
  type Paging,
  pageCountOf,
} from '../components/data-grid/paging.ts';
import { useAskedParams } from './asked-params.ts';

/** The two grids of an area, by the name that their address has. */
export type Grid = 'single' | 'bulk';

export interface GridPaging {
  /** Where a grid is: at the page that was last looked at, unless it begins again. */
  gridPath(grid: Grid): string;
  /** The paging and the filter of a grid, kept in the address. */
  useGridPaging(grid: Grid): {
    readonly paging: Paging;
    readonly setPaging: (paging: Paging, options?: NavigateOptions) => void;
    readonly filter: GridFilter;
    readonly setFilter: (change: Partial<GridFilter>) => void;
  };
  /**
   * Goes to the first page of a grid, where a new row will appear. It resolves when that is the address; React may draw the
   * page a moment later.
   */
  useWayToTop(grid: Grid): () => Promise<void>;
}

/** The paging of the grids of one area. What it remembers is of this tab only, and forgotten at sign-out. */
export function gridPagingOf({
  basePath,
  keySuffix = '',
}: {
  basePath: string;
  keySuffix?: string;
}): GridPaging {
  const resetFlagKey = (grid: Grid): string => `assay.reset_pagination.${grid}${keySuffix}`;
  const lastSearchKey = (grid: Grid): string => `assay.last_page.${grid}${keySuffix}`;

  const gridPath = (grid: Grid): string => {
    const isReset = tabStorage.getItem(resetFlagKey(grid)) !== null;
    const search = isReset ? '' : (tabStorage.getItem(lastSearchKey(grid)) ?? '');
    return `${basePath}/${grid}${search}`;
  };

  return {
    gridPath,
    useGridPaging(grid) {
      const { shown, asked, ask } = useAskedParams();
      const { search, key } = useLocation();

      // biome-ignore lint/correctness/useExhaustiveDependencies: looked at anew for every navigation, also to the same address
      useEffect(() => {
        if (tabStorage.getItem(resetFlagKey(grid)) === null) {
          tabStorage.setItem(lastSearchKey(grid), search);
          return;
        }
        tabStorage.removeItem(resetFlagKey(grid));
        tabStorage.removeItem(lastSearchKey(grid));
        // A busy browser comes here late. Without need, it must not call off a navigation that began meanwhile.
        if (search !== '') ask(new URLSearchParams(), { replace: true });
      }, [grid, search, key]);

      return {
        paging: pagingOf(shown),
        setPaging: (next, options) => ask(withFilter(paramsOf(next), filterOf(asked())), options),
        filter: filterOf(shown),
        // Another selection starts at its first page. Every letter typed is no place to go back to.
        setFilter: (change) => {
          const firstPage = { ...pagingOf(asked()), page: DEFAULT_PAGING.page };
          ask(withFilter(paramsOf(firstPage), { ...filterOf(asked()), ...change }), { replace: true });
        },
      };
    },
    useWayToTop(grid) {
      const navigate = useNavigate();
      return async () => {
        tabStorage.setItem(resetFlagKey(grid), 'true');
        await navigate(gridPath(grid));
      };
    },
  };
}

const SEARCH_LENGTH_MAX = 100;

const filterOf = (params: URLSearchParams): GridFilter => ({
  search: (params.get('search') ?? '').trim().slice(0, SEARCH_LENGTH_MAX),
  sort: params.get('sort') ?? '',
});

function withFilter(params: URLSearchParams, { search, sort }: GridFilter): URLSearchParams {
  if (search !== '') params.set('search', search);
  if (sort !== '') params.set('sort', sort);
  return params;
}

/** Whatever is typed into the address, the grid gets a paging that it can show. */
export function pagingOf(params: URLSearchParams): Paging {
  const page = Number(params.get('page'));
  const pageSize = Number(params.get('page_size'));
  return {
    page: Number.isSafeInteger(page) && page >= 1 ? Math.min(page, PAGE_MAX) : DEFAULT_PAGING.page,
    pageSize: isPageSize(pageSize) ? pageSize : DEFAULT_PAGING.pageSize,
  };
}

/** Defaults are left out of the address. */
export function paramsOf({ page, pageSize }: Paging): URLSearchParams {
  const params = new URLSearchParams();
  if (page !== DEFAULT_PAGING.page) params.set('page', String(page));
  if (pageSize !== DEFAULT_PAGING.pageSize) params.set('page_size', String(pageSize));
  return params;
}

const isPageSize = (size: number): size is PageSize => (PAGE_SIZES as readonly number[]).includes(size);

/**
 * Shows the last page in place of one that has no rows any more, as after deleting its only one. The address is replaced:
 * otherwise 'Back' would return to the empty page, and from there to the last one again.
 */
export function useLastPage(
  paging: Paging,
  total: number | undefined,
  setPaging: (paging: Paging, options: NavigateOptions) => void,
): void {
  const lastPage = total === undefined ? undefined : pageCountOf(total, paging.pageSize);
  const goToLastPage = useEffectEvent((page: number) => setPaging({ ...paging, page }, { replace: true }));
  const isBeyond = lastPage !== undefined && paging.page > lastPage;
  useEffect(() => {
    if (isBeyond) goToLastPage(lastPage);
  }, [isBeyond, lastPage]);
}
