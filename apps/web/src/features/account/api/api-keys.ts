import type { ApiKey } from '@assay/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

const apiKeysKey = ['users', 'api-keys'] as const;

/** The customer's one key; null when they have none. */
export const apiKeyQuery = ({ api }: Pick<AppServices, 'api'>) =>
  queryOptions({
    queryKey: apiKeysKey,
    queryFn: async ({ signal }): Promise<ApiKey | null> =>
      (await api.users.listApiKeys({ query: { reveal: false }, signal })).results[0] ?? null,
  });

export const useApiKey = () => useQuery(apiKeyQuery(useServices()));

export function useCreateApiKey() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.users.createApiKey(),
    // Also after a refusal: the key may have been made in another tab.
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysKey }),
  });
}

/** The whole key, which the server tells only shortly after a sign-in. */
export function useRevealApiKey() {
  const { api } = useServices();
  return useMutation({
    mutationFn: async ({ id }: Pick<ApiKey, 'id'>): Promise<string> => {
      const { results } = await api.users.listApiKeys({ query: { reveal: true } });
      const key = results.find((result) => result.id === id);
      if (!key) throw new Error('This API key was deleted in another tab.');
      return key.api_token;
    },
  });
}

export function useDeleteApiKey() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<ApiKey, 'id'>) => api.users.deleteApiKey({ params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysKey }),
  });
}
