import { listOf, type Subscription, type SubscriptionItem, type SubscriptionSchedule } from '../objects.ts';
import { emit } from '../webhooks/events.ts';
import { getObject, type World } from '../world.ts';
import type { Period } from './periods.ts';

export function updateSubscription(world: World, id: string, change: Partial<Subscription>): Subscription {
  const before = getObject(world, 'subscription', id);
  const after: Subscription = { ...before, ...change };
  if (JSON.stringify(before) === JSON.stringify(after)) return before;
  emit(world, 'customer.subscription.updated', world.store.put('subscription', after));
  return after;
}

export const isEnded = ({ status }: Subscription): boolean => status === 'canceled';

/** A subscription has one item here: its plan. */
export function itemOf({ id, items }: Subscription): SubscriptionItem {
  const [item] = items.data;
  if (item === undefined) throw new Error(`subscription ${id} has no item`);
  return item;
}

export const withItem = (item: SubscriptionItem): Subscription['items'] => listOf([item]);

export const withPeriod = (item: SubscriptionItem, period: Period): SubscriptionItem => ({
  ...item,
  current_period_start: period.start,
  current_period_end: period.end,
});

export const periodOf = (subscription: Subscription): Period => ({
  start: itemOf(subscription).current_period_start,
  end: itemOf(subscription).current_period_end,
});

export const costOf = (subscription: Subscription): number => itemOf(subscription).price.unit_amount;

/** Ends a subscription: it is never billed again, and what it still owes is no longer collected. */
export function endSubscription(world: World, id: string): Subscription {
  const before = getObject(world, 'subscription', id);
  if (before.schedule !== null) endSchedule(world, before.schedule, 'canceled');
  if (before.latest_invoice !== null) stopCollecting(world, before.latest_invoice);
  const end = { ended_at: world.clock.seconds(), schedule: null, status: 'canceled' as const };
  const ended = world.store.put('subscription', { ...before, ...end });
  emit(world, 'customer.subscription.deleted', ended);
  return ended;
}

export function endSchedule(world: World, id: string, status: 'canceled' | 'released'): SubscriptionSchedule {
  const before = getObject(world, 'subscription_schedule', id);
  const subscription = status === 'released' ? null : before.subscription;
  const end = { current_phase: null, subscription, status };
  const after = world.store.put('subscription_schedule', { ...before, ...end });
  emit(world, `subscription_schedule.${status}`, after);
  return after;
}

function stopCollecting(world: World, invoiceId: string): void {
  const invoice = getObject(world, 'invoice', invoiceId);
  if (invoice.status === 'paid') return;
  world.store.put('invoice', { ...invoice, automatically_finalizes_at: null, next_payment_attempt: null });
}
