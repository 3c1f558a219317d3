import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

const hasApiKeyQuery = ({ api }: Pick<AppServices, 'api'>) =>
  queryOptions({
    queryKey: ['users', 'has-api-key'],
    queryFn: async ({ signal }) => (await api.users.listApiKeys({ signal })).results.length > 0,
  });

export const useHasApiKey = () => useQuery(hasApiKeyQuery(useServices()));
