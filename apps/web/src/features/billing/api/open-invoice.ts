import { useMutation } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';

interface InvoiceOrder {
  readonly invoiceId: string;
  readonly as: 'page' | 'pdf';
}

/** Pages and files of invoices have addresses that expire, so they are asked for at the click. */
export function useOpenInvoice() {
  const { api } = useServices();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ invoiceId, as, tab }: InvoiceOrder & { tab: Window | null }) => {
      try {
        const { invoice_url, pdf_url } = await api.billing.openInvoice({ params: { invoice_id: invoiceId } });
        const url = as === 'pdf' ? (pdf_url ?? invoice_url) : invoice_url;
        // Without a new tab the invoice takes the place of this page, and 'Back' returns.
        (tab ?? window).location.assign(url);
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
  });
  return {
    /** What is being opened. */
    opening: isPending ? variables.as : null,
    open: (order: InvoiceOrder) => mutate({ ...order, tab: openTab() }),
  };
}

/** Opens an empty tab at the click: browsers block one that opens when the answer is there. */
function openTab(): Window | null {
  const tab = window.open('', '_blank');
  // The page of the invoice must not reach ours.
  if (tab) tab.opener = null;
  return tab;
}
