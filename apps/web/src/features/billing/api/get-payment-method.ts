import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

const paymentMethodQuery = ({ api }: Pick<AppServices, 'api'>) =>
  queryOptions({
    queryKey: ['billing', 'payment-method'],
    queryFn: ({ signal }) => api.billing.getPaymentMethod({ signal }),
    // The page works without it, for example where no payments are configured.
    meta: { keepsFailures: true },
    retry: false,
  });

export const usePaymentMethod = () => useQuery(paymentMethodQuery(useServices()));
