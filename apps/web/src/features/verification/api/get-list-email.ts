import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

const listEmailQuery = (
  { api }: Pick<AppServices, 'api'>,
  listId: string | undefined,
  emailId: string | undefined,
) =>
  queryOptions({
    queryKey: [...verificationKeys.listEmail, listId, emailId],
    queryFn:
      listId === undefined || emailId === undefined
        ? skipToken
        : ({ signal }) =>
            api.validations.getListEmail({ params: { list_id: listId, email_id: emailId }, signal }),
  });

/** One address of a list with its evidence; nothing is asked for while an id is missing. */
export const useListEmail = (listId: string | undefined, emailId: string | undefined) =>
  useQuery(listEmailQuery(useServices(), listId, emailId));
