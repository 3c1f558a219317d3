import type { User } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';

/** Long enough to read the message before the page goes away. */
const SIGN_OUT_DELAY_MS = 2000;

export function useDeleteAccount() {
  const { api, signInTrips } = useServices();
  return useMutation({
    mutationFn: (_user: Pick<User, 'email_address'>) => api.users.deleteMe(),
    onSuccess: (_nothing, { email_address }) => {
      snackbar.success(`User account successfully deleted for ${email_address}, logging out.`);
      setTimeout(() => void signInTrips.signOut('/goodbye'), SIGN_OUT_DELAY_MS);
    },
  });
}
