import type { Verdict } from '@assay/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

export interface ListEmailsWanted {
  readonly listId: string;
  readonly paging: Paging;
  /** Part of an address; empty for all. */
  readonly search: string;
  /** Empty for all, those without a verdict yet too. */
  readonly verdicts: readonly Verdict[];
}

const listEmailsQuery = ({ api }: Pick<AppServices, 'api'>, wanted: ListEmailsWanted) =>
  queryOptions({
    queryKey: [...verificationKeys.listEmails, wanted.listId, wanted],
    queryFn: ({ signal }) => {
      const { listId, paging, search, verdicts } = wanted;
      return api.validations.listEmails({
        params: { list_id: listId },
        query: {
          ...pageQueryOf(paging),
          search: search === '' ? undefined : search,
          status: verdicts.length === 0 ? undefined : verdicts,
        },
        signal,
      });
    },
    // The page before stays readable until the next one is there.
    placeholderData: keepPreviousData,
  });

export const useListEmails = (wanted: ListEmailsWanted) => useQuery(listEmailsQuery(useServices(), wanted));
