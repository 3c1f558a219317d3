import type { ActivityArea } from '@assay/contract';
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { announceExport } from '../../../shared/navigation/announce-export.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

export interface ActivityFilter {
  /** Empty for all. */
  readonly area: ActivityArea | '';
  readonly search: string;
}

const queryOf = ({ area, search }: ActivityFilter) => ({
  area: area === '' ? undefined : area,
  search: search === '' ? undefined : search,
});

export function useActivities(filter: ActivityFilter, paging: Paging) {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: ['users', 'activity', filter, paging],
      staleTime: 0,
      queryFn: ({ signal }) =>
        api.activity.listActivities({ query: { ...queryOf(filter), ...pageQueryOf(paging) }, signal }),
      placeholderData: keepPreviousData,
    }),
  );
}

/** Asks for a file of the log and lets the browser fetch it. */
export function useExportActivities() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ filter }: { readonly list: { readonly name: string }; readonly filter: ActivityFilter }) =>
      api.activity.exportActivities({ query: queryOf(filter) }),
    meta: { hasOwnErrorText: true },
    ...announceExport,
  });
}
