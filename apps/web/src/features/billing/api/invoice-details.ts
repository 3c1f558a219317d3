import type { InvoiceDetails } from '@assay/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { snackbar } from '../../../shared/components/snackbar.tsx';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';

const invoiceDetailsQuery = ({ api }: Pick<AppServices, 'api'>) =>
  queryOptions({
    queryKey: ['billing', 'invoice-details'],
    queryFn: ({ signal }) => api.billing.getInvoiceDetails({ signal }),
    // The list of invoices works without it, for example where no payments are configured.
    meta: { keepsFailures: true },
    retry: false,
  });

export const useInvoiceDetails = () => useQuery(invoiceDetailsQuery(useServices()));

export function useSetInvoiceDetails() {
  const services = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (details: InvoiceDetails) => services.api.billing.setInvoiceDetails({ body: details }),
    // The form says it.
    meta: { hasOwnErrorText: true },
    onSuccess: (saved) => {
      queryClient.setQueryData(invoiceDetailsQuery(services).queryKey, saved);
      snackbar.success('Invoice details saved. They are on your next invoice.');
    },
  });
}
