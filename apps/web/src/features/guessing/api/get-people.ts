import type { GuessOutcome } from '@assay/contract';
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

/** Which people of a list are looked at. */
export interface PeopleView {
  readonly paging: Paging;
  /** Empty for all, those without an outcome yet too. */
  readonly outcomes: readonly GuessOutcome[];
}

const peopleQuery = (
  { api }: Pick<AppServices, 'api'>,
  listId: string | undefined,
  { paging, outcomes }: PeopleView,
) =>
  queryOptions({
    queryKey: [...guessingKeys.people, listId, paging, outcomes],
    queryFn:
      listId === undefined
        ? skipToken
        : ({ signal }) =>
            api.guessing.listPeople({
              params: { list_id: listId },
              query: { ...pageQueryOf(paging), ...(outcomes.length === 0 ? {} : { outcome: [...outcomes] }) },
              signal,
            }),
    placeholderData: keepPreviousData,
  });

/** Nothing is asked for while the list is unknown. */
export const usePeople = (listId: string | undefined, view: PeopleView) =>
  useQuery(peopleQuery(useServices(), listId, view));
