import type { RetentionDays } from '@assay/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';

const retentionKey = ['users', 'retention'] as const;

export function useRetention() {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: retentionKey,
      queryFn: ({ signal }) => api.records.getRetention({ signal }),
    }),
  );
}

/** Counts what a choice would delete now. */
export function useCountExpired() {
  const { api } = useServices();
  return useMutation({
    mutationFn: (days: RetentionDays) => api.records.previewRetention({ query: { days: `${days}` } }),
  });
}

export function useSetRetention() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (days: RetentionDays | null) => api.records.setRetention({ body: { days } }),
    onSuccess: (retention) => {
      queryClient.setQueryData(retentionKey, retention);
      snackbar.success('Retention changed.');
    },
  });
}
