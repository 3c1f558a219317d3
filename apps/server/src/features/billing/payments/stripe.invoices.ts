import type Stripe from 'stripe';
import type { InvoiceLinks, PaidMonth, PaymentsGateway, RemoteInvoice } from './payments-gateway.ts';
import { dateOf, idOf, reach } from './stripe.connection.ts';
import type { PriceReader } from './stripe.prices.ts';

type Invoices = Pick<PaymentsGateway, 'findInvoice' | 'findPaidInvoices' | 'findInvoicePage'>;

export type InvoiceReader = (invoice: Stripe.Invoice) => Promise<RemoteInvoice>;

export const createInvoiceReader =
  (planOfPrice: PriceReader): InvoiceReader =>
  async (invoice) => ({
    id: invoice.id,
    customerId: idOf(invoice.customer) ?? '',
    isPaid: invoice.status === 'paid',
    totalCents: invoice.total,
    paidCents: invoice.amount_paid,
    paidAt: dateOf(invoice.status_transitions.paid_at),
    months: await monthsOf(invoice, planOfPrice),
  });

export function invoicesOf(stripe: Stripe, invoiceOf: InvoiceReader): Invoices {
  return {
    findInvoice: async (invoiceId) => invoiceOf(await reach(() => stripe.invoices.retrieve(invoiceId))),
    findPaidInvoices: async ({ customerId, since }) => {
      const created = { gte: Math.floor(since.getTime() / 1_000) };
      const found = await reach(() =>
        stripe.invoices
          .list({ customer: customerId, status: 'paid', created, limit: 100 })
          .autoPagingToArray({ limit: 1_000 }),
      );
      return Promise.all(found.map(invoiceOf));
    },
    findInvoicePage: async (reference) => {
      const invoiceId = isPaymentId(reference) ? await findInvoiceOfPayment(stripe, reference) : reference;
      if (invoiceId === null) return findReceipt(stripe, reference);
      const invoice = await reach(() => stripe.invoices.retrieve(invoiceId));
      const pageUrl = invoice.hosted_invoice_url ?? null;
      return pageUrl === null ? null : { pageUrl, pdfUrl: invoice.invoice_pdf ?? null };
    },
  };
}

async function monthsOf(invoice: Stripe.Invoice, planOfPrice: PriceReader): Promise<PaidMonth[]> {
  const months: PaidMonth[] = [];
  for (const line of invoice.lines.data) {
    const price = line.pricing?.price_details?.price;
    const isProrated = line.parent?.subscription_item_details?.proration ?? true;
    const plan = price && !isProrated ? await planOfPrice(price) : undefined;
    if (!plan) continue;
    months.push({
      plan,
      quantity: line.quantity ?? 1,
      costCents: line.amount,
      begin: new Date(line.period.start * 1_000),
      end: new Date(line.period.end * 1_000),
    });
  }
  return months;
}

const isPaymentId = (reference: string): boolean => reference.startsWith('pi_');

/** The invoice that a checkout wrote for its payment. */
async function findInvoiceOfPayment(stripe: Stripe, paymentId: string): Promise<string | null> {
  const { data } = await reach(() => stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 }));
  return idOf(data[0]?.invoice);
}

/** A payment without an invoice, such as an automatic top-up, has a receipt. */
async function findReceipt(stripe: Stripe, paymentId: string): Promise<InvoiceLinks | null> {
  const intent = await reach(() => stripe.paymentIntents.retrieve(paymentId));
  const chargeId = idOf(intent.latest_charge);
  const charge = chargeId === null ? null : await reach(() => stripe.charges.retrieve(chargeId));
  return charge?.receipt_url ? { pageUrl: charge.receipt_url, pdfUrl: null } : null;
}
