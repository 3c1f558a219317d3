import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

const listColumnsQuery = ({ api }: Pick<AppServices, 'api'>, listId: string) =>
  queryOptions({
    queryKey: [...verificationKeys.listColumns, listId],
    queryFn: ({ signal }) => api.validations.getListColumns({ params: { list_id: listId }, signal }),
    // They never change.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The columns of the customer's file. */
export const useListColumns = (listId: string) => useQuery(listColumnsQuery(useServices(), listId));
