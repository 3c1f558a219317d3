import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';
import { reloadUnfinished } from './reload-unfinished.ts';

const singleQuery = ({ api }: Pick<AppServices, 'api'>, id: string | undefined) =>
  queryOptions({
    queryKey: [...verificationKeys.single, id],
    queryFn:
      id === undefined
        ? skipToken
        : ({ signal }) => api.validations.getSingle({ params: { validation_id: id }, signal }),
    refetchInterval: ({ state }) => reloadUnfinished(state.data && [state.data]),
  });

/** One check with its evidence; nothing is asked for while there is no id. */
export const useSingle = (id: string | undefined) => useQuery(singleQuery(useServices(), id));
