import { isAbort } from '@assay/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { readCredentials } from '../credentials.ts';
import { storedProvider } from '../stored-provider.ts';
import { failureNamed } from '../warm-up-failure.ts';

export const credentialsQuery = ({ api }: Pick<AppServices, 'api'>) =>
  queryOptions({
    queryKey: ['warm-up', 'credentials'],
    queryFn: async ({ signal }) => {
      try {
        return readCredentials(await api.warmUp.listCredentials({ signal }));
      } catch (error) {
        throw isAbort(error) ? error : failureNamed(failureText(), error);
      }
    },
    meta: { keepsFailures: true },
  });

/** After a trip to Microsoft it is Microsoft's accounts that one looks for. */
const failureText = (): string =>
  storedProvider() === 'MICROSOFT'
    ? 'Failed to load Microsoft authorized credentials'
    : 'Failed to load authorized credentials';

export const useCredentials = () => useQuery(credentialsQuery(useServices()));
