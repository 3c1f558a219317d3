import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { type HistoryFilter, queryOf } from '../history-filter.ts';

export const transactionsKey = ['billing', 'transactions'] as const;

const transactionsQuery = (
  { api }: Pick<AppServices, 'api'>,
  { page, pageSize }: Paging,
  filter: HistoryFilter,
) =>
  queryOptions({
    queryKey: [...transactionsKey, page, pageSize, filter],
    staleTime: 0,
    queryFn: ({ signal }) =>
      api.billing.listTransactions({
        query: {
          page_number: page,
          page_size: pageSize,
          ...queryOf(filter),
          ...(!filter.showsChecks && { group_singles: true }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const useTransactions = (paging: Paging, filter: HistoryFilter) =>
  useQuery(transactionsQuery(useServices(), paging, filter));
