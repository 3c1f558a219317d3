import type { PlanCode } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { walletQuery } from '../../../shared/api/wallet-query.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { leaveFor } from '../leave-for.ts';
import { rememberSubscription } from '../plan-change-notice.ts';

/** Leaves for the page where plan and card are changed. A failure stops the loading state and shows a message. */
export function useOpenPortal() {
  const services = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (wanted: { readonly plan?: PlanCode; readonly page?: 'card' } = {}) => {
      const wallet = queryClient.getQueryData(walletQuery(services).queryKey);
      if (wallet) rememberSubscription(wallet.subscription);
      const { api } = services;
      const { portal_url } = await api.billing.openCustomerPortal({ query: wanted });
      return leaveFor(portal_url);
    },
  });
}
