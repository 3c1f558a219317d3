import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

const REFRESH_MS = 5_000;

export function useKeyCalls(id: string, { page, pageSize }: Paging) {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: ['users', 'key-calls', id, page, pageSize],
      // Programs use the key all the time, also while somebody looks.
      staleTime: 0,
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
      queryFn: ({ signal }) =>
        api.users.listKeyCalls({
          params: { id },
          query: { page_number: page, page_size: pageSize },
          signal,
        }),
    }),
  );
}
