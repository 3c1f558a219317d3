import { useMutation } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

/** Pages and files of invoices have addresses that expire, so they are asked for at the click. */
export function useOpenInvoice() {
  const { api } = useServices();
  return useMutation({
    mutationFn: async ({ invoiceId, as = 'page' }: { invoiceId: string; as?: 'page' | 'pdf' }) => {
      const { invoice_url, pdf_url } = await api.billing.openInvoice({ params: { invoice_id: invoiceId } });
      window.open(as === 'pdf' ? (pdf_url ?? invoice_url) : invoice_url, '_blank', 'noopener');
    },
  });
}
