import { useMutation } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';

export function useResetPassword({ onReset }: { onReset: () => void }) {
  const { api } = useServices();
  return useMutation({
    mutationFn: () => api.users.resetPassword(),
    onSuccess: () => {
      onReset();
      snackbar.success('Password reset successfully');
    },
  });
}
