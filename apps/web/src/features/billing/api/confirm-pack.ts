import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { continuingImport, findWaitingImport } from '../../../shared/bulk-import/waiting-import.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { formatCredits } from '../../../shared/format/counts.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { transactionsKey } from './get-transactions.ts';

/** Back from the checkout of a pack, has its credits added now, and says so. */
export function useConfirmedPack(): void {
  const { api } = useServices();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const checkoutId = params.get('checkout');
  const { mutate } = useMutation({
    mutationFn: (id: string) => api.billing.confirmPack({ params: { checkout_id: id } }),
    // The payment stands even if this call fails: the provider tells the server as well.
    meta: { changesWallet: true, keepsFailures: true },
    onSuccess: ({ is_paid, credits }) => {
      if (!is_paid)
        return snackbar.success('Your payment is being processed. The credits come when it is done.');
      snackbar.success(`${formatCredits(credits)} credits added.`);
      const waiting = findWaitingImport();
      if (waiting) void navigate(waiting.path, { state: continuingImport });
      return queryClient.invalidateQueries({ queryKey: transactionsKey });
    },
    onError: () => snackbar.error('Your payment could not be confirmed yet. Its credits come by themselves.'),
  });
  useEffect(() => {
    if (checkoutId === null) return;
    // Once: a reload of the page does not say it again.
    setParams({}, { replace: true });
    mutate(checkoutId);
  }, [checkoutId, setParams, mutate]);
}
