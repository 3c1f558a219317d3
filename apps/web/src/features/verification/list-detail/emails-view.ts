import { VERDICTS, type Verdict } from '@assay/contract';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { pagingOf, paramsOf } from '../../../shared/navigation/grid-paging.ts';

/** Which emails of a list are looked at; kept in the address. */
export interface EmailsView {
  readonly paging: Paging;
  /** Part of an address; empty for all. */
  readonly search: string;
  /** Nothing for all, those without a result yet too. */
  readonly verdict: Verdict | undefined;
}

/** Longer than any address that exists; the server refuses more. */
export const SEARCH_LENGTH_MAX = 254;

export function emailsViewOf(params: URLSearchParams): EmailsView {
  const result = params.get('result');
  return {
    paging: pagingOf(params),
    search: (params.get('search') ?? '').trim().slice(0, SEARCH_LENGTH_MAX),
    verdict: VERDICTS.find((verdict) => verdict === result),
  };
}

export function emailsParamsOf({ paging, search, verdict }: EmailsView): URLSearchParams {
  const params = paramsOf(paging);
  if (search !== '') params.set('search', search);
  if (verdict !== undefined) params.set('result', verdict);
  return params;
}
