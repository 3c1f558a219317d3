import { ApiError, type Client } from '@assay/client';
import type { MailboxProvider } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';
import { pathOfProvider, storedProvider } from '../stored-provider.ts';
import { failureInWordsOf, type WarmUpFailure } from '../warm-up-failure.ts';
import { credentialsQuery } from './get-credentials.ts';

export interface ProviderAnswer {
  readonly code: string;
  readonly state: string;
}

/** Posts what the provider sent back. */
export async function finishAuthorization(
  { warmUp }: Pick<Client, 'warmUp'>,
  provider: MailboxProvider,
  answer: ProviderAnswer,
): Promise<void> {
  try {
    await warmUp.finishAuthorization({ params: { provider: pathOfProvider[provider] }, body: answer });
  } catch (error) {
    const status = error instanceof ApiError ? error.http_status : undefined;
    throw failureInWordsOf(error, status === undefined ? 'Unexpected error' : `Callback failed (${status})`);
  }
}

export function useFinishAuthorization() {
  const services = useServices();
  const queryClient = useQueryClient();
  return useMutation<void, WarmUpFailure, ProviderAnswer>({
    mutationFn: (answer) => finishAuthorization(services.api, storedProvider(), answer),
    meta: { keepsFailures: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: credentialsQuery(services).queryKey }),
  });
}
