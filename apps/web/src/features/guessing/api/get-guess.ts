import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

const guessQuery = ({ api }: Pick<AppServices, 'api'>, id: string | undefined) =>
  queryOptions({
    queryKey: [...guessingKeys.guess, id],
    queryFn:
      id === undefined
        ? skipToken
        : ({ signal }) => api.guessing.getGuess({ params: { guess_id: id }, signal }),
  });

/** One guess with its evidence; nothing is asked for while there is no id. */
export const useGuess = (id: string | undefined) => useQuery(guessQuery(useServices(), id));
