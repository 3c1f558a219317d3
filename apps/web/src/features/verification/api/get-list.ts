import { queryOptions, useQuery } from '@tanstack/react-query';
import { reloadWhilePending } from '../../../shared/lists/reload-while-pending.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

const listQuery = ({ api }: Pick<AppServices, 'api'>, listId: string) =>
  queryOptions({
    queryKey: [...verificationKeys.list, listId],
    refetchInterval: reloadWhilePending,
    queryFn: ({ signal }) => api.validations.getList({ params: { list_id: listId }, signal }),
  });

export const useList = (listId: string) => useQuery(listQuery(useServices(), listId));
