import type { Seconds } from '../clock.ts';
import { newId, newPageToken } from '../ids.ts';
import type { Invoice, InvoiceLine, Price, Subscription, SubscriptionItem } from '../wire.ts';
import { getCustomer, getObject, taxIdsOf, type World } from '../world.ts';
import { formatAmount } from './money.ts';

export interface InvoiceOrder {
  subscription: Subscription;
  /** The item as it is for the period that the invoice asks for. */
  item: SubscriptionItem;
  reason: Invoice['billing_reason'];
  finalizesAt: Seconds | null;
}

/** A draft: it has no number yet and nothing is owed. */
export function draftInvoice(
  world: World,
  { subscription, item, reason, finalizesAt }: InvoiceOrder,
): Invoice {
  return putDraft(world, {
    customer: subscription.customer,
    price: item.price,
    reason,
    finalizesAt,
    line: {
      description: describeMonth(world, item.price),
      parent: {
        subscription_item_details: {
          proration: false,
          subscription: item.subscription,
          subscription_item: item.id,
        },
        type: 'subscription_item_details',
      },
      period: { start: item.current_period_start, end: item.current_period_end },
    },
    parent: { subscription_details: { subscription: subscription.id }, type: 'subscription_details' },
  });
}

/** For a payment that is made once, outside subscriptions. */
export function draftInvoiceOfPayment(world: World, order: { customer: string; price: Price }): Invoice {
  const now = world.clock.seconds();
  const { name } = getObject(world, 'product', order.price.product);
  return putDraft(world, {
    ...order,
    reason: 'manual',
    finalizesAt: null,
    line: { description: name, parent: null, period: { start: now, end: now } },
    parent: null,
  });
}

/** For a payment that is made once, without a price: its lines are added before it is finalized. */
export const draftEmptyInvoice = (
  world: World,
  order: Pick<EmptyDraft, 'customer' | 'currency' | 'metadata'>,
): Invoice => putEmptyDraft(world, { ...order, reason: 'manual', finalizesAt: null, parent: null });

interface EmptyDraft {
  customer: string;
  currency: string;
  reason: Invoice['billing_reason'];
  finalizesAt: Seconds | null;
  parent: Invoice['parent'];
  metadata?: Invoice['metadata'];
}

interface Draft extends Omit<EmptyDraft, 'currency'> {
  price: Price;
  line: Pick<InvoiceLine, 'description' | 'parent' | 'period'>;
}

function putDraft(world: World, { price, line, ...draft }: Draft): Invoice {
  const { id, currency, product, unit_amount: amount } = price;
  const pricing = { price_details: { price: id, product }, type: 'price_details' } as const;
  const empty = putEmptyDraft(world, { ...draft, currency });
  addLine(world, empty, { ...line, amount, currency, pricing });
  return getObject(world, 'invoice', empty.id);
}

function putEmptyDraft(
  world: World,
  { customer, currency, reason, finalizesAt, parent, metadata = {} }: EmptyDraft,
): Invoice {
  const id = newId('in');
  const invoice: Invoice = {
    id,
    object: 'invoice',
    amount_due: 0,
    amount_paid: 0,
    amount_remaining: 0,
    attempt_count: 0,
    automatically_finalizes_at: finalizesAt,
    billing_reason: reason,
    created: world.clock.seconds(),
    currency,
    customer,
    customer_address: null,
    customer_email: getCustomer(world, customer).email,
    customer_name: null,
    customer_tax_ids: [],
    ending_balance: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: { object: 'list', data: [], has_more: false, url: `/v1/invoices/${id}/lines` },
    metadata,
    next_payment_attempt: null,
    number: null,
    parent,
    starting_balance: 0,
    status: 'draft',
    status_transitions: { finalized_at: null, paid_at: null },
    total: 0,
  };
  world.store.put('invoice', invoice);
  return invoice;
}

type NewLine = Pick<InvoiceLine, 'amount' | 'currency' | 'description'> & Partial<InvoiceLine>;

export function addLine(world: World, draft: Invoice, fields: NewLine): InvoiceLine {
  const now = world.clock.seconds();
  const line: InvoiceLine = {
    id: newId('il'),
    object: 'line_item',
    parent: null,
    period: { start: now, end: now },
    pricing: null,
    quantity: 1,
    ...fields,
  };
  const total = draft.total + line.amount;
  world.store.put('invoice', {
    ...draft,
    amount_due: total,
    amount_remaining: total,
    lines: { ...draft.lines, data: [...draft.lines.data, line] },
    total,
  });
  return line;
}

function describeMonth(world: World, price: Price): string {
  const { name } = getObject(world, 'product', price.product);
  return `1 × ${name} (at ${formatAmount(price.unit_amount, price.currency)} / month)`;
}

/** From here on the invoice is owed: it gets its number and its page. */
export function finalizeInvoice(world: World, draft: Invoice): Invoice {
  const customer = getCustomer(world, draft.customer);
  const sequence = customer.next_invoice_sequence;
  world.store.put('customer', { ...customer, next_invoice_sequence: sequence + 1 });

  const now = world.clock.seconds();
  const token = newPageToken();
  world.store.put('page', { id: token, page: 'invoice', target: draft.id, created: now, lastUsed: null });
  const invoice: Invoice = {
    ...draft,
    automatically_finalizes_at: null,
    // Customers of earlier versions have neither.
    customer_address: customer.address ?? null,
    customer_name: customer.name ?? null,
    customer_tax_ids: taxIdsOf(world, customer.id).map(({ type, value }) => ({ type, value })),
    hosted_invoice_url: `${world.publicUrl}/invoice/${token}`,
    invoice_pdf: `${world.publicUrl}/invoice/${token}/pdf`,
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  world.store.put('invoice', invoice);
  return invoice;
}

/** The customer's credit pays as much of an open invoice as it can, and a debt is added to it. */
export function applyBalance(world: World, open: Invoice): Invoice {
  const customer = getCustomer(world, open.customer);
  // Customers of earlier versions have none.
  const startingBalance = customer.balance ?? 0;
  const due = open.total + startingBalance;
  const endingBalance = Math.min(0, due);
  world.store.put('customer', { ...customer, balance: endingBalance });
  const invoice: Invoice = {
    ...open,
    amount_due: Math.max(0, due),
    amount_remaining: Math.max(0, due),
    ending_balance: endingBalance,
    starting_balance: startingBalance,
  };
  world.store.put('invoice', invoice);
  return invoice;
}

/** The subscription that the invoice is for; null for a payment that is made once. */
export const subscriptionOf = (invoice: Invoice): string | null =>
  invoice.parent?.subscription_details.subscription ?? null;
