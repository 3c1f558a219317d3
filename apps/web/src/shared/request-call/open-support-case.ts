import { CALL_REQUEST_SUBJECT } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reloadUser } from '../api/user-query.ts';
import { snackbar } from '../components/snackbar.tsx';
import { useServices } from '../services/services-context.tsx';

/** Asks for a call from sales at this number. One that was typed for it is kept in the profile, too. */
export function useRequestCall() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ phone, isTyped }: { phone: string; isTyped: boolean }) =>
      api.support.openCase({
        body: {
          subject: CALL_REQUEST_SUBJECT,
          description: `The customer asks for a call at ${phone} to discuss a plan.`,
          ...(isTyped && { phone }),
        },
      }),
    meta: { hasOwnErrorText: true },
    onSuccess: () => {
      snackbar.success('Support request succesful, you will called soon.');
      void reloadUser(queryClient);
    },
    onError: () => snackbar.error('Support request failed, try again later'),
  });
}
