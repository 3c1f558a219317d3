import type { ValidationList } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';
import { verificationKeys } from './keys.ts';

interface NewName {
  readonly list: Pick<ValidationList, 'id'>;
  readonly name: string;
}

export function useRenameList() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ list, name }: NewName) =>
      api.validations.renameList({ params: { list_id: list.id }, body: { id: list.id, name } }),
    meta: { hasOwnErrorText: true },
    onSuccess: (renamed) => {
      queryClient.setQueryData([...verificationKeys.list, renamed.id], renamed);
      void queryClient.invalidateQueries({ queryKey: verificationKeys.lists });
      snackbar.success('Name updated successfully');
    },
    onError: () => snackbar.error('Name update failed.'),
  });
}
