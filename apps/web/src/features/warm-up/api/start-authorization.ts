import type { MailboxProvider } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServices } from '../../../shared/services/services-context.tsx';
import { readAuthorizationUrl } from '../authorization-url.ts';
import { pathOfProvider, storeProvider } from '../stored-provider.ts';
import { failureNamed } from '../warm-up-failure.ts';

/** Leaves for the provider's consent page. */
export function useStartAuthorization() {
  const { api } = useServices();
  const { reset, ...start } = useMutation({
    mutationFn: async (provider: MailboxProvider) => {
      storeProvider(provider);
      try {
        const params = { provider: pathOfProvider[provider] };
        window.location.assign(readAuthorizationUrl(await api.warmUp.authorize({ params }), provider));
      } catch (error) {
        throw failureNamed('Failed to get authorization URL', error);
      }
      // The button keeps turning until the browser has left.
      return new Promise<never>(() => {});
    },
    meta: { keepsFailures: true },
  });

  // After 'Back' from the provider, the browser may restore the page with its button still loading.
  useEffect(() => {
    const onReturn = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener('pageshow', onReturn);
    return () => window.removeEventListener('pageshow', onReturn);
  }, [reset]);

  return { ...start, reset };
}
