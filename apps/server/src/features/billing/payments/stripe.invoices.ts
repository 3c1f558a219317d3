import type Stripe from 'stripe';
import {
  type InvoiceLinks,
  type PaidMonth,
  type PaymentsGateway,
  PaymentsRefused,
  type RemoteInvoice,
} from './payments-gateway.ts';
import { dateOf, idOf, reach } from './stripe.connection.ts';
import type { PriceReader } from './stripe.prices.ts';

type Invoices = Pick<
  PaymentsGateway,
  'findInvoice' | 'findPaidInvoices' | 'findInvoicePage' | 'writeInvoice'
>;

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
    writeInvoice: (paymentId) => writeInvoice(stripe, paymentId),
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

/** The invoice that a checkout wrote for its payment, or that we wrote for an automatic top-up. */
async function findInvoiceOfPayment(stripe: Stripe, paymentId: string): Promise<string | null> {
  const { data } = await reach(() => stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 }));
  return idOf(data[0]?.invoice) ?? (await findAttachedInvoice(stripe, paymentId));
}

/** The invoice that a payment was credited to. */
export async function findAttachedInvoice(stripe: Stripe, paymentId: string): Promise<string | null> {
  const payment = { type: 'payment_intent', payment_intent: paymentId } as const;
  const { data } = await reach(() => stripe.invoicePayments.list({ payment, limit: 1 }));
  return idOf(data[0]?.invoice);
}

async function writeInvoice(stripe: Stripe, paymentId: string): Promise<boolean> {
  if ((await findAttachedInvoice(stripe, paymentId)) !== null) return true;
  const intent = await reach(() => stripe.paymentIntents.retrieve(paymentId));
  const customerId = idOf(intent.customer);
  if (customerId === null || intent.status !== 'succeeded') return false;
  const customer = await reach(() => stripe.customers.retrieve(customerId));
  if (customer.deleted || customer.balance !== 0) return false;

  const { currency, description } = intent;
  const once = (step: string) => ({ idempotencyKey: `assay-invoice-${step}-${paymentId}` });
  const draft = {
    customer: customerId,
    currency,
    // The payment is made already: nothing may charge the invoice.
    auto_advance: false,
    collection_method: 'charge_automatically',
    pending_invoice_items_behavior: 'exclude',
  } as const;
  const { id: invoice } = await reach(() => stripe.invoices.create(draft, once('draft')));
  const line = { customer: customerId, invoice, amount: intent.amount_received, currency };
  await reach(() =>
    stripe.invoiceItems.create({ ...line, description: description ?? 'Credits' }, once('line')),
  );
  await reach(() => stripe.invoices.finalizeInvoice(invoice, { auto_advance: false }, once('final')));
  const attach = () => stripe.invoices.attachPayment(invoice, { payment_intent: paymentId }, once('payment'));
  await reach(attach).catch(async (error: unknown) => {
    // Otherwise the customer would seem to owe it.
    if (error instanceof PaymentsRefused) await reach(() => stripe.invoices.voidInvoice(invoice));
    throw error;
  });
  return true;
}

/** A payment without an invoice has a receipt. */
async function findReceipt(stripe: Stripe, paymentId: string): Promise<InvoiceLinks | null> {
  const intent = await reach(() => stripe.paymentIntents.retrieve(paymentId));
  const chargeId = idOf(intent.latest_charge);
  const charge = chargeId === null ? null : await reach(() => stripe.charges.retrieve(chargeId));
  return charge?.receipt_url ? { pageUrl: charge.receipt_url, pdfUrl: null } : null;
}
