import type { Seconds } from '../clock.ts';
import { newId, newPageToken } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { Customer, Invoice, InvoiceLine, Subscription, SubscriptionItem } from '../wire.ts';
import { getCustomer, type World } from '../world.ts';
import { amountOf, formatAmount } from './money.ts';

export interface InvoiceOrder {
  subscription: Subscription;
  items: SubscriptionItem[];
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  /** The period that ended, which is what the API calls the invoice's own; each line carries the period it pays for. */
  period: { start: Seconds; end: Seconds };
  finalizesAt: Seconds | null;
}

/** A draft: it has no number yet and nothing is owed. */
export function draftInvoice(world: World, order: InvoiceOrder): Invoice {
  const { subscription } = order;
  const customer = getCustomer(world, subscription.customer);
  const id = newId('in');
  const lines = order.items.map((item) => lineOf(world, id, item));
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  const invoice: Invoice = {
    ...blankInvoice(world, id, customer),
    amount_due: total,
    amount_remaining: total,
    auto_advance: true,
    automatically_finalizes_at: order.finalizesAt,
    billing_reason: order.reason,
    currency: subscription.currency,
    default_payment_method: null,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: order.period.end,
    period_start: order.period.start,
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
  };
  world.store.put('invoice', invoice);
  emit(world, 'invoice.created', invoice);
  return invoice;
}

/** From here on the invoice is owed: it gets its number and its page. */
export function finalizeInvoice(world: World, draft: Invoice): Invoice {
  const customer = getCustomer(world, draft.customer ?? '');
  const sequence = customer.next_invoice_sequence ?? 1;
  world.store.put('customer', { ...customer, next_invoice_sequence: sequence + 1 });

  const now = world.clock.seconds();
  const token = newPageToken();
  world.store.put('page', { id: token, page: 'invoice', target: draft.id, created: now, lastUsed: null });
  const invoice: Invoice = {
    ...draft,
    automatically_finalizes_at: null,
    effective_at: now,
    ending_balance: 0,
    hosted_invoice_url: `${world.publicUrl}/invoice/${token}`,
    invoice_pdf: `${world.publicUrl}/invoice/${token}/pdf`,
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: now },
  };
  world.store.put('invoice', invoice);
  emit(world, 'invoice.finalized', invoice);
  return invoice;
}

export const subscriptionOf = (invoice: Invoice): string | null =>
  invoice.parent?.subscription_details?.subscription ?? null;

function lineOf(world: World, invoice: string, item: SubscriptionItem): InvoiceLine {
  const { price, quantity = 1 } = item;
  const amount = amountOf(price, quantity);
  const product = world.store.find('product', price.product);
  const each = `${formatAmount(price.unit_amount ?? 0, price.currency)} / ${price.recurring?.interval ?? 'month'}`;
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description: `${quantity} × ${product?.name ?? price.id} (at ${each})`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: item.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: item.subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription: item.subscription,
    subtotal: amount,
    taxes: [],
  };
}

function blankInvoice(world: World, id: string, customer: Customer): Invoice {
  const now = world.clock.seconds();
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: world.businessName,
    account_tax_ids: null,
    amount_due: 0,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: false,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: null,
    collection_method: 'charge_automatically',
    created: now,
    currency: 'usd',
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: [], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: 0,
    subtotal_excluding_tax: 0,
    test_clock: null,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}
