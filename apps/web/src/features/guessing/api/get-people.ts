import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

const peopleQuery = ({ api }: Pick<AppServices, 'api'>, listId: string, paging: Paging) =>
  queryOptions({
    queryKey: [...guessingKeys.people, listId, paging],
    queryFn: ({ signal }) =>
      api.guessing.listPeople({ params: { list_id: listId }, query: pageQueryOf(paging), signal }),
    placeholderData: keepPreviousData,
  });

export const usePeople = (listId: string, paging: Paging) =>
  useQuery(peopleQuery(useServices(), listId, paging));
