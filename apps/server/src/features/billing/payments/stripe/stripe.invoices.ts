import type Stripe from 'stripe';
import {
  type InvoiceLinks,
  type PaidMonth,
  type PaymentsGateway,
  PaymentsRefused,
  type RemoteInvoice,
} from '../payments-gateway.ts';
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
    dueCents: invoice.status === 'open' ? invoice.amount_remaining : 0,
    issuedAt: dateOf(invoice.status_transitions.finalized_at) ?? new Date(invoice.created * 1_000),
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

/**
 * Continues with the invoice that an earlier attempt began, whatever became of its answers. Idempotency keys would not do:
 * Stripe repeats an error of its own under a key for a day.
 */
async function writeInvoice(stripe: Stripe, paymentId: string): Promise<boolean> {
  const intent = await reach(() => stripe.paymentIntents.retrieve(paymentId));
  const customerId = idOf(intent.customer);
  if (customerId === null) return false;
  const begun = await findBegunInvoice(stripe, customerId, intent);
  if (begun?.status === 'paid') return true;
  if (!(await isFreeOfOtherMoney(stripe, customerId, intent))) return discard(stripe, begun);

  const invoice = begun ?? (await reach(() => stripe.invoices.create(draftFor(customerId, intent))));
  try {
    const open = invoice.status === 'draft' ? await finalize(stripe, invoice, intent) : invoice;
    if (open.amount_remaining !== intent.amount_received) return await discard(stripe, open);
    const attach = () => stripe.invoices.attachPayment(open.id, { payment_intent: paymentId });
    return (await reach(attach)).status === 'paid';
  } catch (error) {
    // Otherwise the customer would seem to owe it.
    if (error instanceof PaymentsRefused)
      await discard(stripe, await findBegunInvoice(stripe, customerId, intent));
    throw error;
  }
}

const paymentField = 'assay_payment';

async function findBegunInvoice(
  stripe: Stripe,
  customerId: string,
  { id, created }: Stripe.PaymentIntent,
): Promise<Stripe.Invoice | undefined> {
  const invoices = await reach(() =>
    stripe.invoices
      .list({ customer: customerId, created: { gte: created }, limit: 100 })
      .autoPagingToArray({ limit: 1_000 }),
  );
  return invoices.find(({ metadata, status }) => metadata?.[paymentField] === id && status !== 'void');
}

/** Whether the payment stands as it was made, and no balance would change what its invoice asks for. */
async function isFreeOfOtherMoney(
  stripe: Stripe,
  customerId: string,
  intent: Stripe.PaymentIntent,
): Promise<boolean> {
  const chargeId = idOf(intent.latest_charge);
  if (intent.status !== 'succeeded' || chargeId === null) return false;
  const charge = await reach(() => stripe.charges.retrieve(chargeId));
  if (charge.amount_refunded > 0 || charge.disputed) return false;
  const customer = await reach(() => stripe.customers.retrieve(customerId));
  return !customer.deleted && customer.balance === 0;
}

const draftFor = (customer: string, { id, currency }: Stripe.PaymentIntent) =>
  ({
    customer,
    currency,
    metadata: { [paymentField]: id },
    // The payment is made already: nothing may charge the invoice, and nothing may change its total.
    auto_advance: false,
    collection_method: 'charge_automatically',
    pending_invoice_items_behavior: 'exclude',
    discounts: '',
  }) as const;

async function finalize(
  stripe: Stripe,
  { id: invoice, lines }: Stripe.Invoice,
  intent: Stripe.PaymentIntent,
): Promise<Stripe.Invoice> {
  const { currency, amount_received: amount } = intent;
  const line = {
    invoice,
    currency,
    amount,
    description: intent.description ?? 'Credits',
    discountable: false,
  };
  if (lines.data.length === 0) {
    await reach(() => stripe.invoiceItems.create({ ...line, customer: idOf(intent.customer) ?? '' }));
  }
  return reach(() => stripe.invoices.finalizeInvoice(invoice, { auto_advance: false }));
}

/** Leaves nothing behind that the customer could pay. */
async function discard(stripe: Stripe, invoice: Stripe.Invoice | undefined): Promise<false> {
  if (invoice?.status === 'draft') await reach(() => stripe.invoices.del(invoice.id));
  if (invoice?.status === 'open') await reach(() => stripe.invoices.voidInvoice(invoice.id));
  return false;
}

/** A payment without an invoice has a receipt. */
async function findReceipt(stripe: Stripe, paymentId: string): Promise<InvoiceLinks | null> {
  const intent = await reach(() => stripe.paymentIntents.retrieve(paymentId));
  const chargeId = idOf(intent.latest_charge);
  const charge = chargeId === null ? null : await reach(() => stripe.charges.retrieve(chargeId));
  return charge?.receipt_url ? { pageUrl: charge.receipt_url, pdfUrl: null } : null;
}
