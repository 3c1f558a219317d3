import { ApiError, type Client } from '@assay/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';
import type { AuthorizedCredential } from '../credentials.ts';
import { pathOfProvider } from '../stored-provider.ts';
import { failureInWordsOf, failureNamed } from '../warm-up-failure.ts';
import { credentialsQuery } from './get-credentials.ts';

/** Removes one mailbox. When the common call fails in the server, the provider's own is tried. */
export async function removeCredential(
  { warmUp }: Pick<Client, 'warmUp'>,
  { email, provider }: Pick<AuthorizedCredential, 'email' | 'provider'>,
): Promise<void> {
  const query = { accountEmail: email };
  try {
    try {
      await warmUp.removeCredential({ query });
    } catch (error) {
      if (!isServerFailure(error) || provider === 'UNKNOWN') throw error;
      await warmUp.removeProviderCredential({ params: { provider: pathOfProvider[provider] }, query });
    }
  } catch (error) {
    // Another tab has removed it.
    if (error instanceof ApiError && error.code === 'mailbox_not_found') return;
    throw failureInWordsOf(error, 'Failed to remove credential');
  }
}

const isServerFailure = (error: unknown): boolean =>
  error instanceof ApiError && (error.http_status ?? 0) >= 500;

export function useRemoveCredential() {
  const services = useServices();
  const queryClient = useQueryClient();
  const { queryKey } = credentialsQuery(services);
  return useMutation({
    mutationFn: (credential: AuthorizedCredential) => removeCredential(services.api, credential),
    meta: { keepsFailures: true },
    onSuccess: (_nothing, { email }) =>
      queryClient.setQueryData(queryKey, (list) => list?.filter((one) => one.email !== email)),
    // Also after a refusal: it may have been removed in another tab.
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

export function useRemoveAllCredentials() {
  const services = useServices();
  const queryClient = useQueryClient();
  const { queryKey } = credentialsQuery(services);
  return useMutation({
    mutationFn: async (_removed: readonly AuthorizedCredential[]) => {
      try {
        await services.api.warmUp.removeAllCredentials();
      } catch (error) {
        throw failureNamed('Failed to remove all credentials', error);
      }
    },
    meta: { keepsFailures: true },
    onSuccess: () => queryClient.setQueryData(queryKey, []),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
