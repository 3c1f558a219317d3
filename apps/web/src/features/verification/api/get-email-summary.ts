import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

const emailSummaryQuery = ({ api }: Pick<AppServices, 'api'>, listId: string | undefined) =>
  queryOptions({
    // Among the emails of the list, with which it is loaded again while the list runs.
    queryKey: [...verificationKeys.listEmails, listId, 'summary'],
    queryFn:
      listId === undefined
        ? skipToken
        : ({ signal }) => api.validations.summariseEmails({ params: { list_id: listId }, signal }),
  });

/** The reasons, flags and providers of a list so far. */
export const useEmailSummary = (listId: string | undefined) =>
  useQuery(emailSummaryQuery(useServices(), listId));
