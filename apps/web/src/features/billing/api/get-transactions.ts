import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

export const transactionsKey = ['billing', 'transactions'] as const;

const transactionsQuery = ({ api }: Pick<AppServices, 'api'>, { page, pageSize }: Paging) =>
  queryOptions({
    queryKey: [...transactionsKey, page, pageSize],
    staleTime: 0,
    queryFn: ({ signal }) =>
      api.billing.listTransactions({ query: { page_number: page, page_size: pageSize }, signal }),
    placeholderData: keepPreviousData,
  });

export const useTransactions = (paging: Paging) => useQuery(transactionsQuery(useServices(), paging));
