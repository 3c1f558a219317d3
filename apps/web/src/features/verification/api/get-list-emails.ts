import type { AddressFlag, EmailSort, Verdict } from '@assay/contract';
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

export interface ListEmailsWanted {
  /** While it is unknown, nothing is asked for. */
  readonly listId: string | undefined;
  readonly paging: Paging;
  /** Absent filters let everything through. */
  readonly filter: {
    readonly search?: string;
    readonly status?: readonly Verdict[];
    readonly reason?: readonly string[];
    readonly flag?: readonly AddressFlag[];
    readonly mx_provider?: readonly string[];
    readonly sort: EmailSort;
  };
}

const listEmailsQuery = ({ api }: Pick<AppServices, 'api'>, wanted: ListEmailsWanted) => {
  const { listId, paging, filter } = wanted;
  return queryOptions({
    queryKey: [...verificationKeys.listEmails, listId, wanted],
    queryFn:
      listId === undefined
        ? skipToken
        : ({ signal }) =>
            api.validations.listEmails({
              params: { list_id: listId },
              query: { ...pageQueryOf(paging), ...filter },
              signal,
            }),
    // The page before stays readable until the next one is there.
    placeholderData: keepPreviousData,
  });
};

export const useListEmails = (wanted: ListEmailsWanted) => useQuery(listEmailsQuery(useServices(), wanted));
