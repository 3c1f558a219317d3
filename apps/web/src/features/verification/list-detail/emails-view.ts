import { ADDRESS_FLAGS, type AddressFlag, type EmailSort, VERDICTS, type Verdict } from '@assay/contract';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { pagingOf, paramsOf } from '../../../shared/navigation/grid-paging.ts';

/** Which emails of a list are looked at; kept in the address. */
export interface EmailsView {
  readonly paging: Paging;
  /** Part of an address; empty for all. */
  readonly search: string;
  /** Empty for all, those without a result yet too. */
  readonly verdicts: readonly Verdict[];
  readonly reason: string | undefined;
  readonly flag: AddressFlag | undefined;
  readonly mxProvider: string | undefined;
  /** Undefined for the order that suits the list: the newest results first while it runs, else that of the file. */
  readonly sort: EmailSort | undefined;
}

/** Longer than any address that exists; the server refuses more. */
export const SEARCH_LENGTH_MAX = 254;
const REASON_LENGTH_MAX = 40;
const SORTS: readonly EmailSort[] = ['row', '-row', 'email', '-email', 'status', '-status', 'newest'];

export const EVERYTHING: Omit<EmailsView, 'paging'> = {
  search: '',
  verdicts: [],
  reason: undefined,
  flag: undefined,
  mxProvider: undefined,
  sort: undefined,
};

export function emailsViewOf(params: URLSearchParams): EmailsView {
  const results = params.getAll('result');
  const textAt = (name: string, lengthMax: number) => (params.get(name) ?? '').trim().slice(0, lengthMax);
  return {
    paging: pagingOf(params),
    search: textAt('search', SEARCH_LENGTH_MAX),
    verdicts: VERDICTS.filter((verdict) => results.includes(verdict)),
    reason: textAt('reason', REASON_LENGTH_MAX) || undefined,
    flag: ADDRESS_FLAGS.find((flag) => flag === params.get('flag')),
    mxProvider: textAt('mx_provider', SEARCH_LENGTH_MAX) || undefined,
    sort: SORTS.find((sort) => sort === params.get('sort')),
  };
}

export function emailsParamsOf({ paging, search, verdicts, reason, flag, mxProvider, sort }: EmailsView) {
  const params = paramsOf(paging);
  if (search !== '') params.set('search', search);
  for (const verdict of verdicts) params.append('result', verdict);
  if (reason !== undefined) params.set('reason', reason);
  if (flag !== undefined) params.set('flag', flag);
  if (mxProvider !== undefined) params.set('mx_provider', mxProvider);
  if (sort !== undefined) params.set('sort', sort);
  return params;
}

/** The order of the rows. Somebody who searches looks for an address, which may have no result yet. */
export const sortOf = ({ sort, search }: EmailsView, isRunning: boolean): EmailSort =>
  sort ?? (isRunning && search === '' ? 'newest' : 'row');

/** What the emails are filtered by, as calls take it. */
export const filterOf = ({ search, verdicts, reason, flag, mxProvider }: EmailsView) => ({
  ...(search === '' ? {} : { search }),
  ...(verdicts.length === 0 ? {} : { status: [...verdicts] }),
  ...(reason === undefined ? {} : { reason: [reason] }),
  ...(flag === undefined ? {} : { flag: [flag] }),
  ...(mxProvider === undefined ? {} : { mx_provider: [mxProvider] }),
});
