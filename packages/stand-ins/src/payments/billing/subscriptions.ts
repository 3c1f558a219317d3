import { invalidRequest } from '../errors.ts';
import { newId } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { Customer, Price, Subscription } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { finalizeAndCollect } from './collection.ts';
import { draftInvoice, finalizeInvoice } from './invoices.ts';
import { buildItem, costOf, itemsOf, listOfItems, type Period, periodFrom } from './items.ts';
import { noCancellation } from './subscription-state.ts';

export interface SubscriptionOrder {
  customer: Customer;
  items: { price: Price; quantity: number; metadata: Record<string, string> }[];
  card: string | null;
  metadata: Record<string, string>;
  description: string | null;
  paymentBehavior: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete';
}

/** Begins a subscription and bills its first period at once. One that costs nothing needs no card. */
export function createSubscription(world: World, order: SubscriptionOrder): Subscription {
  const now = world.clock.seconds();
  const period = periodFrom(
    now,
    now,
    order.items.map(({ price }) => price),
  );
  const created = buildSubscription(world, order, period);
  const cost = costOf(itemsOf(created));
  const card = created.default_payment_method ?? order.customer.invoice_settings.default_payment_method;
  if (cost > 0 && card === null && order.paymentBehavior !== 'default_incomplete') throw noPaymentMethod();

  world.store.put('subscription', created);
  setCurrency(world, order.customer, created.currency);
  const draft = draftInvoice(world, {
    subscription: created,
    items: itemsOf(created),
    reason: 'subscription_create',
    period: { start: now, end: now },
    finalizesAt: null,
  });
  const begun: Subscription = {
    ...created,
    latest_invoice: draft.id,
    status: cost === 0 ? 'active' : 'incomplete',
  };
  world.store.put('subscription', begun);
  emit(world, 'customer.subscription.created', begun);

  if (order.paymentBehavior === 'default_incomplete' && cost > 0) finalizeInvoice(world, draft);
  else {
    const result = finalizeAndCollect(world, draft);
    if (!result.paid && order.paymentBehavior === 'error_if_incomplete') throw result.error;
  }
  return getObject(world, 'subscription', begun.id);
}

export const noPaymentMethod = () =>
  invalidRequest(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    { code: 'resource_missing' },
  );

function setCurrency(world: World, customer: Customer, currency: string): void {
  if (customer.currency === currency) return;
  world.store.put('customer', { ...customer, currency });
}

function buildSubscription(world: World, order: SubscriptionOrder, period: Period): Subscription {
  const id = newId('sub');
  const now = world.clock.seconds();
  const items = order.items.map((item) => buildItem(world, { ...item, subscription: id, period }));
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: noCancellation,
    collection_method: 'charge_automatically',
    created: now,
    currency: order.items[0]?.price.currency ?? 'usd',
    customer: order.customer.id,
    customer_account: null,
    days_until_due: null,
    default_payment_method: order.card,
    default_source: null,
    default_tax_rates: [],
    description: order.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOfItems(id, items),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: order.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
  };
}
