import { useMutation } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { forgetSubscription } from '../plan-change-notice.ts';

/** Undoes the change that is still to come. The card follows when the payment provider has told the server. */
export function useKeepPlan() {
  const { api } = useServices();
  return useMutation({
    mutationFn: () => api.billing.keepPlan(),
    meta: { changesWallet: true },
    onSuccess: () => {
      // Said here, so not once more when the wallet shows it.
      forgetSubscription();
      snackbar.success('Your plan is kept.');
    },
  });
}
