import type { ProfileChanges } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { userQuery } from '../../../shared/api/user-query.ts';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';

export function useUpdateProfile() {
  const services = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (changes: ProfileChanges) => services.api.users.updateMe({ body: changes }),
    meta: { hasOwnErrorText: true },
    onSuccess: (user) => {
      queryClient.setQueryData(userQuery(services).queryKey, services.remembered.keep('user', user));
      snackbar.success('Name updated successfully');
    },
    onError: () => snackbar.error('Name update failed.'),
  });
}
