import { useMutation } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { forgetSubscription } from '../plan-change-notice.ts';

/** Undoes the change that is still to come. */
export function useKeepPlan() {
  const { api } = useServices();
  return useMutation({
    mutationFn: () => api.billing.keepPlan(),
    meta: { changesWallet: true },
    // The success is announced here, so not again by the notice after a trip to the portal. The wallet may show the change
    // before the call is answered.
    onMutate: forgetSubscription,
    onSuccess: () => snackbar.success('Your plan is kept.'),
  });
}
