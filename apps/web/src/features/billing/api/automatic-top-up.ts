import type { AutomaticTopUpOrder } from '@assay/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

export const automaticTopUpKey = ['billing', 'automatic-top-up'] as const;

const automaticTopUpQuery = ({ api }: Pick<AppServices, 'api'>) =>
  queryOptions({
    queryKey: automaticTopUpKey,
    queryFn: ({ signal }) => api.billing.getAutomaticTopUp({ signal }),
  });

export const useAutomaticTopUp = () => useQuery(automaticTopUpQuery(useServices()));

export function useSetAutomaticTopUp() {
  const services = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (order: AutomaticTopUpOrder) => services.api.billing.setAutomaticTopUp({ body: order }),
    onSuccess: (saved) => {
      queryClient.setQueryData(automaticTopUpQuery(services).queryKey, saved);
      snackbar.success(saved.is_on ? 'Automatic top-up is on.' : 'Automatic top-up is off.');
    },
  });
}
