import { useMutation } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

/** The page of an invoice has an address that expires, so it is asked for at the click. */
export function useOpenInvoice() {
  const { api } = useServices();
  return useMutation({
    mutationFn: async (invoiceId: string) => {
      const { invoice_url } = await api.billing.openInvoice({ params: { invoice_id: invoiceId } });
      window.open(invoice_url, '_blank', 'noopener');
    },
  });
}
