import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

const guessesQuery = ({ api }: Pick<AppServices, 'api'>, paging: Paging) =>
  queryOptions({
    queryKey: [...guessingKeys.guesses, paging],
    queryFn: ({ signal }) => api.guessing.listGuesses({ query: pageQueryOf(paging), signal }),
    // The page before stays readable until the next one is there.
    placeholderData: keepPreviousData,
  });

export const useGuesses = (paging: Paging) => useQuery(guessesQuery(useServices(), paging));
