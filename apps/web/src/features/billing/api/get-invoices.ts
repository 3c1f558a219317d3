import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

export const invoicesKey = ['billing', 'invoices'] as const;

const invoicesQuery = ({ api }: Pick<AppServices, 'api'>, { page, pageSize }: Paging) =>
  queryOptions({
    queryKey: [...invoicesKey, page, pageSize],
    staleTime: 0,
    queryFn: ({ signal }) =>
      api.billing.listInvoices({ query: { page_number: page, page_size: pageSize }, signal }),
    placeholderData: keepPreviousData,
  });

export const useInvoices = (paging: Paging) => useQuery(invoicesQuery(useServices(), paging));
