import type { Price, SchedulePhase, Subscription, SubscriptionSchedule } from '../objects.ts';
import { emit } from '../webhooks/events.ts';
import { getObject, make, type World } from '../world.ts';
import { addMonths } from './periods.ts';
import { endSchedule, itemOf, periodOf, updateSubscription } from './subscription-state.ts';

/**
 * What the portal does with a downgrade: it attaches a schedule with the present as its only phase, then adds one month
 * of the new price. After that the subscription is free again.
 */
export function changeAtPeriodEnd(world: World, subscription: Subscription, price: Price): void {
  const { start, end } = periodOf(subscription);
  const present = phaseOf(itemOf(subscription).price, start, end);
  const schedule = make(world, 'subscription_schedule', {
    current_phase: { start_date: start, end_date: end },
    customer: subscription.customer,
    phases: [present],
    subscription: subscription.id,
  });
  emit(world, 'subscription_schedule.created', schedule);
  updateSubscription(world, subscription.id, { schedule: schedule.id });
  updateSchedule(world, { ...schedule, phases: [present, phaseOf(price, end, addMonths(end, 1))] });
}

const phaseOf = (price: Price, start: number, end: number): SchedulePhase => ({
  start_date: start,
  end_date: end,
  items: [{ price: price.id, quantity: 1 }],
});

function updateSchedule(world: World, schedule: SubscriptionSchedule): void {
  emit(world, 'subscription_schedule.updated', world.store.put('subscription_schedule', schedule));
}

/** The phase that is still to come, if there is one. */
export function nextPhase(world: World, { schedule }: Subscription): SchedulePhase | undefined {
  if (schedule === null) return undefined;
  const { phases } = getObject(world, 'subscription_schedule', schedule);
  return phases.find((phase) => phase.start_date > world.clock.seconds());
}

export function releaseSchedule(world: World, scheduleId: string): SubscriptionSchedule {
  const { subscription } = getObject(world, 'subscription_schedule', scheduleId);
  const released = endSchedule(world, scheduleId, 'released');
  if (subscription !== null) updateSubscription(world, subscription, { schedule: null });
  return released;
}

/** At the end of a period: the price of the phase that begins, if one does. After its last phase a schedule lets go. */
export function priceOfNewPhase(world: World, subscription: Subscription): Price | undefined {
  if (subscription.schedule === null) return undefined;
  const now = world.clock.seconds();
  const schedule = getObject(world, 'subscription_schedule', subscription.schedule);
  const phase = schedule.phases.find(({ start_date, end_date }) => start_date <= now && now < end_date);
  if (phase === undefined) {
    releaseSchedule(world, schedule.id);
    return undefined;
  }
  const { start_date, end_date } = phase;
  updateSchedule(world, { ...schedule, current_phase: { start_date, end_date } });
  return getObject(world, 'price', phase.items[0]?.price ?? '');
}
