import { useState } from 'react';
import { DEFAULT_PAGING } from './paging.ts';

/** The filter and the page of a grid. Another filter starts at its first page. */
export function useFilter<Filter extends object>(none: Filter) {
  const [filter, setFilter] = useState(none);
  const [paging, setPaging] = useState(DEFAULT_PAGING);
  const show = (change: Partial<Filter>) => {
    setFilter((before) => ({ ...before, ...change }));
    setPaging((before) => ({ ...before, page: DEFAULT_PAGING.page }));
  };
  return {
    filter,
    isFiltered: (Object.keys(none) as (keyof Filter)[]).some((name) => filter[name] !== none[name]),
    show,
    showAll: () => show(none),
    paging,
    setPaging,
  };
}
