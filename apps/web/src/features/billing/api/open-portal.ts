import type { PlanCode } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

/** Leaves for the page where plan and card are changed. A failure stops the waiting and is told as any other. */
export function useOpenPortal() {
  const { api } = useServices();
  return useMutation({
    mutationFn: async (plan?: PlanCode) => {
      const { portal_url } = await api.billing.openCustomerPortal({ query: plan ? { plan } : {} });
      window.location.assign(portal_url);
      // The button keeps turning until the browser has left, and rests when it comes back by its own back button.
      return new Promise<void>((resolve) => {
        window.addEventListener('pageshow', () => resolve(), { once: true });
      });
    },
  });
}
