import type { GuessOrder } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

export function useStartGuess() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (order: GuessOrder) =>
      api.guessing.startGuess({
        body: order,
        // The client may send it twice when a token has just ended; it is one guess all the same.
        idempotencyKey: crypto.randomUUID(),
      }),
    // The form says itself what was refused.
    meta: { startsWork: true, changesWallet: true, hasOwnErrorText: true },
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: guessingKeys.guesses }),
  });
}
