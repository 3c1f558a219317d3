import type { GuessList } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

export function useDeleteList() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (list: Pick<GuessList, 'id' | 'name'>) =>
      api.guessing.deleteList({ params: { list_id: list.id } }),
    // A list that still runs is settled: what was held for the rest comes back.
    meta: { hasOwnErrorText: true, changesWallet: true },
    onSuccess: (_nothing, { id, name }) => {
      // Not reloaded, since it is gone: the page that shows it would be told so.
      queryClient.removeQueries({ queryKey: [...guessingKeys.list, id], type: 'inactive' });
      void queryClient.invalidateQueries({ queryKey: guessingKeys.lists });
      snackbar.success(`List ${name} deleted.`);
    },
    onError: ({ message }, { name }) =>
      snackbar.error(message === '' ? `Error deleting ${name}` : `Error deleting ${name} : ${message}`),
  });
}
