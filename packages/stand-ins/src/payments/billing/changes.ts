import type { Invoice, Subscription, SubscriptionItem } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { finalizeAndCollect } from './collection.ts';
import { draftInvoice } from './invoices.ts';
import { costOf, itemsOf, listOfItems, periodFrom, periodOf, recurrenceOf, withPeriod } from './items.ts';
import { cardToCharge } from './payment-methods.ts';
import { updateSubscription } from './subscription-state.ts';
import { noPaymentMethod } from './subscriptions.ts';

const pendingUpdateSeconds = 23 * 60 * 60;

export interface PlanChange {
  /** All items the subscription shall have, with the prices it shall have. */
  items: SubscriptionItem[];
  anchor: 'now' | 'unchanged';
  paymentBehavior: 'allow_incomplete' | 'error_if_incomplete' | 'pending_if_incomplete';
}

/**
 * Changes what is subscribed to, without proration. When the period starts anew the full price is invoiced at once;
 * otherwise the new price is asked for from the next period on.
 */
export function changePlan(world: World, id: string, change: PlanChange): Subscription {
  const subscription = getObject(world, 'subscription', id);
  if (!startsNewPeriod(subscription, change)) {
    return updateSubscription(world, id, { items: listOfItems(id, change.items) });
  }

  const now = world.clock.seconds();
  const period = periodFrom(
    now,
    now,
    change.items.map(({ price }) => price),
  );
  const items = change.items.map((item) => withPeriod(item, period));
  if (costOf(items) > 0 && cardToCharge(world, subscription) === null) throw noPaymentMethod();

  const draft = draftInvoice(world, {
    subscription,
    items,
    reason: 'subscription_update',
    period: { start: periodOf(subscription).start, end: now },
    finalizesAt: null,
  });
  const renewed: Partial<Subscription> = {
    billing_cycle_anchor: now,
    ...(subscription.cancel_at_period_end ? { cancel_at: period.end } : {}),
    items: listOfItems(id, items),
    latest_invoice: draft.id,
  };
  if (change.paymentBehavior === 'pending_if_incomplete') {
    return changeWhenPaid(world, { subscription, draft, renewed, items });
  }

  updateSubscription(world, id, renewed);
  const result = finalizeAndCollect(world, draft);
  if (!result.paid && change.paymentBehavior === 'error_if_incomplete') throw result.error;
  return getObject(world, 'subscription', id);
}

/**
 * Whether a change bills at once. Besides when asked for, the real service starts a new period when a subscription
 * that cost nothing begins to cost something, and when the interval changes.
 */
export function startsNewPeriod(
  subscription: Subscription,
  change: Pick<PlanChange, 'items' | 'anchor'>,
): boolean {
  if (change.anchor === 'now') return true;
  const current = itemsOf(subscription);
  if (costOf(current) === 0 && costOf(change.items) > 0) return true;
  const before = recurrenceOf(current.map(({ price }) => price));
  const after = recurrenceOf(change.items.map(({ price }) => price));
  return before.interval !== after.interval || before.interval_count !== after.interval_count;
}

function changeWhenPaid(
  world: World,
  {
    subscription,
    draft,
    renewed,
    items,
  }: {
    subscription: Subscription;
    draft: Invoice;
    renewed: Partial<Subscription>;
    items: SubscriptionItem[];
  },
): Subscription {
  const waiting: Invoice = { ...draft, auto_advance: false };
  world.store.put('invoice', waiting);
  const result = finalizeAndCollect(world, waiting);
  if (result.paid) return updateSubscription(world, subscription.id, { ...renewed, status: 'active' });
  return updateSubscription(world, subscription.id, {
    latest_invoice: draft.id,
    pending_update: {
      billing_cycle_anchor: renewed.billing_cycle_anchor ?? null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: world.clock.seconds() + pendingUpdateSeconds,
      metadata: null,
      subscription_items: items,
      trial_end: null,
      trial_from_plan: null,
    },
  });
}
