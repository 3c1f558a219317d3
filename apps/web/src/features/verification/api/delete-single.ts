import type { SingleValidation } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { isolated } from '../../../shared/format/isolated.ts';
import { deletionFailed } from '../../../shared/lists/list-calls.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

export function useDeleteSingle() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: SingleValidation) => api.validations.deleteSingle({ params: { validation_id: id } }),
    // A check that still runs gives its credit back.
    meta: { hasOwnErrorText: true, changesWallet: true },
    onSuccess: (_nothing, { email_address }) => {
      void queryClient.invalidateQueries({ queryKey: verificationKeys.singles });
      void queryClient.invalidateQueries({ queryKey: verificationKeys.metrics });
      snackbar.success(`${isolated(email_address)} deleted.`);
    },
    onError: ({ message }, { email_address }) => snackbar.error(deletionFailed(email_address, message)),
  });
}
