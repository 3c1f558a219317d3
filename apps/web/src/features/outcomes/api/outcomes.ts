import type { OutcomeKind, ReportedKind } from '@assay/contract';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { pageQueryOf } from '../../../shared/api/page-query.ts';
import type { Paging } from '../../../shared/components/data-grid/paging.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { keptText } from '../outcome-file-words.ts';

const outcomesKey = ['outcomes'] as const;

export interface OutcomeFilter {
  /** Empty for all. */
  readonly kind: OutcomeKind | '';
  readonly search: string;
}

export function useOutcomes({ kind, search }: OutcomeFilter, paging: Paging) {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: [...outcomesKey, kind, search, paging],
      staleTime: 0,
      queryFn: ({ signal }) =>
        api.outcomes.listOutcomes({
          query: {
            kind: kind === '' ? undefined : kind,
            search: search === '' ? undefined : search,
            ...pageQueryOf(paging),
          },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
  );
}

/** What a person says about a file. */
export interface FileWishes {
  readonly sheet?: string | undefined;
  readonly email_column?: number | undefined;
  readonly kind_column?: number | undefined;
  readonly at_column?: number | undefined;
  readonly detail_column?: number | undefined;
  readonly id_column?: number | undefined;
  readonly kind?: ReportedKind | undefined;
  /** Such as 2026-11-20. */
  readonly date?: string | undefined;
}

export interface FileOrder {
  readonly file: File;
  readonly wishes: FileWishes;
}

const bodyOf = ({ file, wishes }: FileOrder) => ({ ...wishes, list_raw: file });

/** What we make of a file. */
export function useFilePreview(order: FileOrder) {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: ['outcome file', order.file.name, order.file.size, order.file.lastModified, order.wishes],
      queryFn: ({ signal }) => api.outcomes.previewFile({ body: bodyOf(order), signal }),
      placeholderData: keepPreviousData,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      retry: false,
      meta: { hasOwnErrorText: true },
    }),
  );
}

export function useImportOutcomes() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (order: FileOrder) => api.outcomes.importFile({ body: bodyOf(order) }),
    meta: { hasOwnErrorText: true },
    onSuccess: (counts) => snackbar.success(keptText(counts)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: outcomesKey }),
  });
}
