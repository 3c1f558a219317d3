import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

export const spendingKey = ['billing', 'spending'] as const;

const spendingQuery = ({ api }: Pick<AppServices, 'api'>) =>
  queryOptions({ queryKey: spendingKey, queryFn: ({ signal }) => api.billing.getSpending({ signal }) });

export const useSpending = () => useQuery(spendingQuery(useServices()));
