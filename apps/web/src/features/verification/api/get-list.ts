import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

const listQuery = ({ api }: Pick<AppServices, 'api'>, listId: string) =>
  queryOptions({
    queryKey: [...verificationKeys.list, listId],
    // Workers change it at any time: what was read before a screen opened may be old by then.
    staleTime: 0,
    queryFn: ({ signal }) => api.validations.getList({ params: { list_id: listId }, signal }),
  });

export const useList = (listId: string) => useQuery(listQuery(useServices(), listId));
