import type { Seconds } from '../clock.ts';
import { newId, newPageToken } from '../ids.ts';
import type { Invoice, InvoiceLine, Subscription, SubscriptionItem } from '../wire.ts';
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
  const id = newId('in');
  const amount = item.price.unit_amount;
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
    currency: subscription.currency,
    customer: subscription.customer,
    customer_email: getCustomer(world, subscription.customer).email,
    hosted_invoice_url: null,
    lines: {
      object: 'list',
      data: [lineOf(world, item)],
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    next_payment_attempt: null,
    number: null,
    parent: { subscription_details: { subscription: subscription.id }, type: 'subscription_details' },
    status: 'draft',
    status_transitions: { finalized_at: null, paid_at: null },
    total: amount,
  };
  world.store.put('invoice', invoice);
  return invoice;
}

function lineOf(world: World, item: SubscriptionItem): InvoiceLine {
  const { price } = item;
  const product = getObject(world, 'product', price.product);
  return {
    id: newId('il'),
    object: 'line_item',
    amount: price.unit_amount,
    currency: price.currency,
    description: `1 × ${product.name} (at ${formatAmount(price.unit_amount, price.currency)} / month)`,
    parent: {
      subscription_item_details: {
        proration: false,
        subscription: item.subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pricing: { price_details: { price: price.id, product: price.product }, type: 'price_details' },
    quantity: 1,
  };
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
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  world.store.put('invoice', invoice);
  return invoice;
}

export const subscriptionOf = (invoice: Invoice): string => invoice.parent.subscription_details.subscription;
