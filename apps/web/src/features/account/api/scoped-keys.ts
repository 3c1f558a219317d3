import type { NewScopedKey, ScopedKey, ScopedKeyChanges } from '@assay/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import { useServices } from '../../../shared/services/services-context.tsx';

const scopedKeysKey = ['users', 'scoped-keys'] as const;
const usageKey = ['users', 'scoped-key-usage'] as const;

export function useScopedKeys() {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: scopedKeysKey,
      // Programs use the keys all the time.
      staleTime: 0,
      queryFn: async ({ signal }): Promise<ScopedKey[]> =>
        (await api.users.listScopedKeys({ signal })).results,
    }),
  );
}

export function useKeyUsage({ id }: Pick<ScopedKey, 'id'>) {
  const { api } = useServices();
  return useQuery(
    queryOptions({
      queryKey: [...usageKey, id],
      staleTime: 0,
      queryFn: async ({ signal }) => (await api.users.getScopedKeyUsage({ params: { id }, signal })).results,
    }),
  );
}

/** The answer has the secret, so nothing may keep it but the dialog that shows it. */
const withSecret = { gcTime: 0, meta: { hasOwnErrorText: true } } as const;

export function useCreateScopedKey() {
  const { api } = useServices();
  const reload = useReload();
  return useMutation({
    ...withSecret,
    mutationFn: (body: NewScopedKey) => api.users.createScopedKey({ body }),
    onSettled: reload,
  });
}

export function useRollScopedKey({ id }: Pick<ScopedKey, 'id'>) {
  const { api } = useServices();
  const reload = useReload();
  return useMutation({
    ...withSecret,
    mutationFn: (overlap_hours: number) =>
      api.users.rollScopedKey({ params: { id }, body: { overlap_hours } }),
    onSettled: reload,
  });
}

export function useChangeScopedKey({ id }: Pick<ScopedKey, 'id'>) {
  const { api } = useServices();
  const reload = useReload();
  return useMutation({
    mutationFn: (body: ScopedKeyChanges) => api.users.updateScopedKey({ params: { id }, body }),
    meta: { hasOwnErrorText: true },
    onSettled: reload,
  });
}

export function useRevokeScopedKey() {
  const { api } = useServices();
  const reload = useReload();
  return useMutation({
    mutationFn: ({ id }: Pick<ScopedKey, 'id'>) => api.users.revokeScopedKey({ params: { id } }),
    onSuccess: () => snackbar.success('Key revoked.'),
    // Also after a refusal: the key may have been revoked in another tab.
    onSettled: reload,
  });
}

function useReload() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: scopedKeysKey });
}
