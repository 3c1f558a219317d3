import { invalidRequest } from '../errors.ts';
import { blankItem, type Customer, type Price, type Subscription } from '../objects.ts';
import { emit } from '../webhooks/events.ts';
import { getObject, make, newId, type World } from '../world.ts';
import { cardToCharge } from './cards.ts';
import { finalizeAndCollect } from './collection.ts';
import { draftMonth } from './invoices.ts';
import { monthFrom } from './periods.ts';
import { itemOf, updateSubscription, withItem, withPeriod } from './subscription-state.ts';

export interface SubscriptionOrder {
  customer: Customer;
  price: Price;
  /** A card of the subscription's own; the customer's default when null. */
  card: string | null;
}

/** Begins a subscription and bills its first month at once. One that costs nothing needs no card. */
export function createSubscription(world: World, order: SubscriptionOrder): Subscription {
  const { price, card } = order;
  const now = world.clock.seconds();
  const id = newId('sub');
  const blank = { ...blankItem, id: newId('si'), price, subscription: id };
  const item = withPeriod(blank, monthFrom(now, now));
  const created = make(world, 'subscription', {
    id,
    billing_cycle_anchor: now,
    customer: order.customer.id,
    default_payment_method: card,
    items: withItem(item),
    status: price.unit_amount === 0 ? 'active' : 'incomplete',
  });
  requireCard(world, created, price);
  const { customer } = created;
  const draft = draftMonth(world, item, { customer, billing_reason: 'subscription_create' });
  const begun = world.store.put('subscription', { ...created, latest_invoice: draft.id });
  emit(world, 'customer.subscription.created', begun);
  const { error } = finalizeAndCollect(world, draft);
  if (error) throw error;
  return getObject(world, 'subscription', id);
}

export interface PlanChange {
  price: Price;
  /** Whether a declined card leaves the subscription past due instead of undoing the change. */
  keepsUnpaid: boolean;
}

/** Changes the plan without proration: a new month begins at once and its full price is invoiced. */
export function changePlan(world: World, before: Subscription, change: PlanChange): Subscription {
  const { id, customer } = before;
  const { price, keepsUnpaid } = change;
  requireCard(world, before, price);
  const now = world.clock.seconds();
  const period = monthFrom(now, now);
  const item = withPeriod({ ...itemOf(before), price }, period);
  const draft = draftMonth(world, item, { customer, billing_reason: 'subscription_update' });
  updateSubscription(world, id, {
    billing_cycle_anchor: now,
    cancel_at: before.cancel_at_period_end ? period.end : before.cancel_at,
    items: withItem(item),
    latest_invoice: draft.id,
  });
  const { error } = finalizeAndCollect(world, draft);
  if (error && !keepsUnpaid) throw error;
  return getObject(world, 'subscription', id);
}

function requireCard(world: World, subscription: Subscription, price: Price): void {
  if (price.unit_amount === 0 || cardToCharge(world, subscription) !== null) return;
  const message = 'This customer has no attached payment source or default payment method.';
  throw invalidRequest(message, { code: 'resource_missing' });
}
