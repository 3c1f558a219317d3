import { useMutation, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { guessingKeys } from './keys.ts';

export function useRenameList() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ list, name }: { readonly list: { readonly id: string }; readonly name: string }) =>
      api.guessing.renameList({ params: { list_id: list.id }, body: { name } }),
    meta: { hasOwnErrorText: true },
    onSuccess: (renamed) => {
      queryClient.setQueryData([...guessingKeys.list, renamed.id], renamed);
      void queryClient.invalidateQueries({ queryKey: guessingKeys.lists });
      snackbar.success('Name updated successfully');
    },
    onError: () => snackbar.error('Name update failed.'),
  });
}
