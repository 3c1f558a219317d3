import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { listsFilterOf, pageQueryOf } from '../../../shared/api/page-query.ts';
import type { GridFilter } from '../../../shared/components/data-grid/grid-page.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

const listsQuery = ({ api }: Pick<AppServices, 'api'>, paging: Paging, filter: GridFilter) =>
  queryOptions({
    queryKey: [...guessingKeys.lists, paging, filter],
    queryFn: ({ signal }) =>
      api.guessing.listLists({ query: { ...pageQueryOf(paging), ...listsFilterOf(filter) }, signal }),
    placeholderData: keepPreviousData,
  });

export const useLists = (paging: Paging, filter: GridFilter) =>
  useQuery(listsQuery(useServices(), paging, filter));
