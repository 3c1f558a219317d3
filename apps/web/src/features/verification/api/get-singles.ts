import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { GridFilter } from '../../../shared/components/data-grid/grid-page.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';
import { reloadUnfinished } from './reload-unfinished.ts';

const singlesQuery = ({ api }: Pick<AppServices, 'api'>, paging: Paging, { search }: GridFilter) =>
  queryOptions({
    queryKey: [...verificationKeys.singles, paging, search],
    queryFn: ({ signal }) =>
      api.validations.listSingles({
        query: { ...pageQueryOf(paging), search: search === '' ? undefined : search },
        signal,
      }),
    refetchInterval: ({ state }) => reloadUnfinished(state.data?.results),
    // The page before stays readable until the next one is there.
    placeholderData: keepPreviousData,
  });

export const useSingles = (paging: Paging, filter: GridFilter) =>
  useQuery(singlesQuery(useServices(), paging, filter));
