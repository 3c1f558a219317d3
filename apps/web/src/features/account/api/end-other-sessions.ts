import { useMutation } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';

export function useEndOtherSessions() {
  const { api } = useServices();
  return useMutation({
    mutationFn: () => api.users.endOtherSessions(),
    onSuccess: () => snackbar.success('All other sessions have ended.'),
  });
}
