import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

const balanceAlertsQuery = ({ api }: Pick<AppServices, 'api'>) =>
  queryOptions({
    queryKey: ['billing', 'alerts'],
    queryFn: ({ signal }) => api.billing.getBalanceAlerts({ signal }),
  });

export const useBalanceAlerts = () => useQuery(balanceAlertsQuery(useServices()));

export function useSetBalanceAlerts() {
  const services = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (thresholds: number[]) => services.api.billing.setBalanceAlerts({ body: { thresholds } }),
    meta: { changesWallet: true },
    onSuccess: (alerts) => {
      queryClient.setQueryData(balanceAlertsQuery(services).queryKey, alerts);
      snackbar.success('Alerts saved.');
    },
  });
}
