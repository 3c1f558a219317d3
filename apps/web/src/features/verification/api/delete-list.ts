import type { ValidationList } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

type DeletedList = Pick<ValidationList, 'id' | 'name'>;

export function useDeleteList() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (list: DeletedList) => api.validations.deleteList({ params: { list_id: list.id } }),
    // A list that still runs is settled: what was held for the rest comes back.
    meta: { hasOwnErrorText: true, changesWallet: true },
    onSuccess: (_nothing, { id, name }) => {
      // Not reloaded, since it is gone: the page that shows it would be told so.
      queryClient.removeQueries({ queryKey: [...verificationKeys.list, id], type: 'inactive' });
      void queryClient.invalidateQueries({ queryKey: verificationKeys.lists });
      void queryClient.invalidateQueries({ queryKey: verificationKeys.metrics });
      snackbar.success(`List ${name} deleted.`);
    },
    onError: ({ message }, { name }) =>
      snackbar.error(message === '' ? `Error deleting ${name}` : `Error deleting ${name} : ${message}`),
  });
}
