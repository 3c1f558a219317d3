import { invalidRequest } from '../errors.ts';
import { newId } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { Customer, Price, Subscription } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { cardToCharge } from './cards.ts';
import { finalizeAndCollect } from './collection.ts';
import { draftInvoice } from './invoices.ts';
import { monthFrom } from './periods.ts';
import { costOf, itemOf, updateSubscription, withItem, withPeriod } from './subscription-state.ts';

export interface SubscriptionOrder {
  customer: Customer;
  price: Price;
  /** A card of the subscription's own; the customer's default when null. */
  card: string | null;
}

/** Begins a subscription and bills its first month at once. One that costs nothing needs no card. */
export function createSubscription(world: World, { customer, price, card }: SubscriptionOrder): Subscription {
  const now = world.clock.seconds();
  const id = newId('sub');
  const period = monthFrom(now, now);
  const created: Subscription = {
    id,
    object: 'subscription',
    billing_cycle_anchor: now,
    cancel_at: null,
    cancel_at_period_end: false,
    created: now,
    currency: price.currency,
    customer: customer.id,
    default_payment_method: card,
    ended_at: null,
    items: withItem({
      id: newId('si'),
      object: 'subscription_item',
      current_period_end: period.end,
      current_period_start: period.start,
      price,
      quantity: 1,
      subscription: id,
    }),
    latest_invoice: null,
    schedule: null,
    status: price.unit_amount === 0 ? 'active' : 'incomplete',
  };
  requireCard(world, created, price);
  const draft = draftInvoice(world, {
    subscription: created,
    item: itemOf(created),
    reason: 'subscription_create',
    finalizesAt: null,
  });
  const begun: Subscription = { ...created, latest_invoice: draft.id };
  world.store.put('subscription', begun);
  emit(world, 'customer.subscription.created', begun);
  const result = finalizeAndCollect(world, draft);
  if (!result.paid) throw result.error;
  return getObject(world, 'subscription', id);
}

export interface PlanChange {
  price: Price;
  /** Whether a declined card undoes the change, or leaves the subscription past due. */
  paymentBehavior: 'allow_incomplete' | 'error_if_incomplete';
}

/** Changes the plan without proration: a new month begins at once and its full price is invoiced. */
export function changePlan(world: World, id: string, { price, paymentBehavior }: PlanChange): Subscription {
  const subscription = getObject(world, 'subscription', id);
  requireCard(world, subscription, price);
  const now = world.clock.seconds();
  const period = monthFrom(now, now);
  const item = withPeriod({ ...itemOf(subscription), price }, period);
  const draft = draftInvoice(world, { subscription, item, reason: 'subscription_update', finalizesAt: null });
  updateSubscription(world, id, {
    billing_cycle_anchor: now,
    ...(subscription.cancel_at_period_end ? { cancel_at: period.end } : {}),
    items: withItem(item),
    latest_invoice: draft.id,
  });
  const result = finalizeAndCollect(world, draft);
  if (!result.paid && paymentBehavior === 'error_if_incomplete') throw result.error;
  return getObject(world, 'subscription', id);
}

function requireCard(world: World, subscription: Subscription, price: Price): void {
  if (price.unit_amount === 0 || cardToCharge(world, subscription) !== null) return;
  throw invalidRequest(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    { code: 'resource_missing' },
  );
}

/** From a price of 0 to another one the real service always begins a new month, also when not asked to. */
export const beginsNewMonth = (subscription: Subscription): boolean => costOf(subscription) === 0;
