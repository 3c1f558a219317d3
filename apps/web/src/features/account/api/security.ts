import type { SignInSession } from '@assay/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';

const securityKey = ['users', 'security'] as const;

/** Asked for anew on each visit: sessions come and go elsewhere. */
export function useSecurity() {
  const { api } = useServices();
  return useQuery({
    queryKey: securityKey,
    queryFn: ({ signal }) => api.users.getSecurity({ signal }),
    staleTime: 0,
  });
}

function useReloadSecurity() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: securityKey });
}

export function useEndSession() {
  const { api } = useServices();
  return useMutation({
    mutationFn: ({ id }: SignInSession) => api.users.endSessionById({ params: { session_id: id } }),
    onSuccess: () => snackbar.success('Session ended.'),
    // Also when it failed: then the session may have ended by itself.
    onSettled: useReloadSecurity(),
  });
}

export function useEndOtherSessions() {
  const { api } = useServices();
  return useMutation({
    mutationFn: () => api.users.endOtherSessions(),
    onSuccess: () => snackbar.success('All other sessions have ended.'),
    onSettled: useReloadSecurity(),
  });
}
