import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

const emailSummaryQuery = (
  { api }: Pick<AppServices, 'api'>,
  listId: string | undefined,
  completed: number,
) =>
  queryOptions({
    queryKey: [...verificationKeys.emailSummary, listId, completed],
    queryFn:
      listId === undefined
        ? skipToken
        : ({ signal }) => api.validations.summariseEmails({ params: { list_id: listId }, signal }),
    // Results never change.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });

/** The reasons, flags and providers of a list when so many results were there. */
export const useEmailSummary = (listId: string | undefined, completed: number) =>
  useQuery(emailSummaryQuery(useServices(), listId, completed));
