import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

const listsQuery = ({ api }: Pick<AppServices, 'api'>, paging: Paging) =>
  queryOptions({
    queryKey: [...guessingKeys.lists, paging],
    queryFn: ({ signal }) => api.guessing.listLists({ query: pageQueryOf(paging), signal }),
    placeholderData: keepPreviousData,
  });

export const useLists = (paging: Paging) => useQuery(listsQuery(useServices(), paging));
