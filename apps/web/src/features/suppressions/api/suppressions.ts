import type { SuppressionReason } from '@assay/contract';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { announceExport } from '../../../shared/navigation/announce-export.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { countsText } from '../suppression-words.ts';

const suppressionsKey = ['suppressions'] as const;

export interface SuppressionFilter {
  /** Empty for all. */
  readonly reason: SuppressionReason | '';
  readonly search: string;
}

const queryOf = ({ reason, search }: SuppressionFilter) => ({
  reason: reason === '' ? undefined : reason,
  search: search === '' ? undefined : search,
});

export function useSuppressions(filter: SuppressionFilter, paging: Paging) {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: [...suppressionsKey, filter, paging],
      staleTime: 0,
      queryFn: ({ signal }) =>
        api.suppressions.listSuppressions({ query: { ...queryOf(filter), ...pageQueryOf(paging) }, signal }),
      placeholderData: keepPreviousData,
    }),
  );
}

interface NewSuppressions {
  readonly targets: readonly string[];
  readonly reason: SuppressionReason;
  readonly end_date: string | null;
}

export function useAddSuppressions() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ targets, reason, end_date }: NewSuppressions) =>
      api.suppressions.addSuppressions({
        body: { entries: targets.map((target) => ({ target, reason, end_date })) },
      }),
    meta: { hasOwnErrorText: true },
    onSuccess: (counts) => snackbar.success(countsText(counts)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: suppressionsKey }),
  });
}

export function useRemoveSuppression() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (target: string) => api.suppressions.removeSuppression({ query: { target } }),
    onSuccess: () => snackbar.success('Removed. It is asked again from now on.'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: suppressionsKey }),
  });
}

export function useImportSuppressions() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (file: File) => api.suppressions.importSuppressions({ body: { list_raw: file } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: suppressionsKey }),
  });
}

/** Asks for a file of what is shown and lets the browser fetch it. */
export function useExportSuppressions() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({
      filter,
    }: {
      readonly list: { readonly name: string };
      readonly filter: SuppressionFilter;
    }) => api.suppressions.exportSuppressions({ query: queryOf(filter) }),
    meta: { hasOwnErrorText: true },
    ...announceExport,
  });
}
