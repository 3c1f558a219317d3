import type { Seconds } from '../clock.ts';
import { newId, newPageToken } from '../ids.ts';
import type { Invoice, InvoiceLine, Price, Subscription, SubscriptionItem } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
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

interface Draft {
  customer: string;
  price: Price;
  reason: Invoice['billing_reason'];
  finalizesAt: Seconds | null;
  line: Pick<InvoiceLine, 'description' | 'parent' | 'period'>;
  parent: Invoice['parent'];
}

function putDraft(world: World, { customer, price, reason, finalizesAt, line, parent }: Draft): Invoice {
  const id = newId('in');
  const amount = price.unit_amount;
  const invoice: Invoice = {
    id,
    object: 'invoice',
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    attempt_count: 0,
    automatically_finalizes_at: finalizesAt,
    billing_reason: reason,
    created: world.clock.seconds(),
    currency: price.currency,
    customer,
    customer_email: getCustomer(world, customer).email,
    ending_balance: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: {
      object: 'list',
      data: [
        {
          id: newId('il'),
          object: 'line_item',
          amount,
          currency: price.currency,
          ...line,
          pricing: { price_details: { price: price.id, product: price.product }, type: 'price_details' },
          quantity: 1,
        },
      ],
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    next_payment_attempt: null,
    number: null,
    parent,
    starting_balance: 0,
    status: 'draft',
    status_transitions: { finalized_at: null, paid_at: null },
    total: amount,
  };
  world.store.put('invoice', invoice);
  return invoice;
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
