import { emit } from '../webhooks/events.ts';
import type { Invoice, Subscription, SubscriptionSchedule } from '../wire.ts';
import { getObject, type World } from '../world.ts';

export function updateSubscription(world: World, id: string, change: Partial<Subscription>): Subscription {
  const before = getObject(world, 'subscription', id);
  const after: Subscription = { ...before, ...change };
  if (JSON.stringify(before) === JSON.stringify(after)) return before;
  world.store.put('subscription', after);
  emit(world, 'customer.subscription.updated', after, before);
  return after;
}

type CancellationDetails = NonNullable<Subscription['cancellation_details']>;

export const noCancellation: CancellationDetails = {
  comment: null,
  feedback: null,
  feedback_option: null,
  reason: null,
};

export const isEnded = (subscription: Subscription): boolean =>
  subscription.status === 'canceled' || subscription.status === 'incomplete_expired';

/** The end: it is never billed again, and what it still owes is no longer collected. */
export function endSubscription(
  world: World,
  id: string,
  details: Partial<CancellationDetails> & Pick<CancellationDetails, 'reason'>,
): Subscription {
  const before = getObject(world, 'subscription', id);
  const now = world.clock.seconds();
  if (before.schedule !== null) endSchedule(world, before.schedule, 'canceled');
  if (before.latest_invoice !== null) stopCollecting(world, before.latest_invoice);
  const ended: Subscription = {
    ...before,
    cancellation_details: { ...(before.cancellation_details ?? noCancellation), ...details },
    canceled_at: before.canceled_at ?? now,
    ended_at: now,
    pending_update: null,
    schedule: null,
    status: 'canceled',
  };
  world.store.put('subscription', ended);
  emit(world, 'customer.subscription.deleted', ended);
  return ended;
}

export function endSchedule(
  world: World,
  id: string,
  status: 'canceled' | 'released' | 'completed',
): SubscriptionSchedule {
  const before = getObject(world, 'subscription_schedule', id);
  const now = world.clock.seconds();
  const after: SubscriptionSchedule = {
    ...before,
    canceled_at: status === 'canceled' ? now : before.canceled_at,
    completed_at: status === 'completed' ? now : before.completed_at,
    current_phase: null,
    released_at: status === 'released' ? now : before.released_at,
    released_subscription: status === 'released' ? before.subscription : before.released_subscription,
    subscription: status === 'released' ? null : before.subscription,
    status,
  };
  world.store.put('subscription_schedule', after);
  emit(world, `subscription_schedule.${status}`, after);
  return after;
}

function stopCollecting(world: World, invoiceId: string): void {
  const before = getObject(world, 'invoice', invoiceId);
  if (before.status !== 'open' && before.status !== 'draft') return;
  const after: Invoice = {
    ...before,
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
  };
  world.store.put('invoice', after);
  emit(world, 'invoice.updated', after, before);
}
