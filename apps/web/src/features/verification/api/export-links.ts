import { ApiError } from '@assay/client';
import type { ExportFormat, Verdict } from '@assay/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

/** What is behind a link. */
export interface SharedPart {
  readonly status?: readonly Verdict[];
  readonly rows?: 'all';
  readonly safe?: boolean;
}

const linksQuery = ({ api }: Pick<AppServices, 'api'>, listId: string) =>
  queryOptions({
    queryKey: [...verificationKeys.exportLinks, listId],
    queryFn: ({ signal }) => api.validations.listExportLinks({ params: { list_id: listId }, signal }),
    select: ({ results }) => results,
    // Others follow links without our hearing of it.
    staleTime: 0,
  });

/** The links of a list that still work. */
export const useExportLinks = (listId: string) => useQuery(linksQuery(useServices(), listId));

export function useCreateExportLink(listId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ part, ...order }: { part: SharedPart; format: ExportFormat; days: number }) =>
      api.validations.createExportLink({
        params: { list_id: listId },
        body: { ...order, ...part, status: part.status && [...part.status] },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [...verificationKeys.exportLinks, listId] }),
  });
}

export function useRevokeExportLink(listId: string, onRevoked: (linkId: string) => void) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (linkId: string) =>
      api.validations
        .revokeExportLink({ params: { list_id: listId, link_id: linkId } })
        // Another tab was quicker, or the link has expired.
        .catch((error) => {
          if (!(error instanceof ApiError && error.http_status === 404)) throw error;
        }),
    onSuccess: (_nothing, linkId) => {
      snackbar.success('Link revoked.');
      onRevoked(linkId);
      return queryClient.invalidateQueries({ queryKey: [...verificationKeys.exportLinks, listId] });
    },
  });
}
