import { queryOptions, useQuery } from '@tanstack/react-query';
import { reloadWhilePending } from '../../../shared/lists/reload-while-pending.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

const listQuery = ({ api }: Pick<AppServices, 'api'>, listId: string) =>
  queryOptions({
    queryKey: [...guessingKeys.list, listId],
    refetchInterval: reloadWhilePending,
    queryFn: ({ signal }) => api.guessing.getList({ params: { list_id: listId }, signal }),
  });

export const useList = (listId: string) => useQuery(listQuery(useServices(), listId));
