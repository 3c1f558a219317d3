import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

export function useStartSingle() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (emailAddress: string) =>
      api.validations.startSingle({
        body: { email_address: emailAddress },
        // The client may send it twice when a token has just ended; it is one check all the same.
        idempotencyKey: crypto.randomUUID(),
      }),
    // The form says itself what was refused.
    meta: { startsWork: true, changesWallet: true, hasOwnErrorText: true },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: verificationKeys.singles });
      void queryClient.invalidateQueries({ queryKey: verificationKeys.metrics });
    },
  });
}
