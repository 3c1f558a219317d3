import type { Seconds } from '../clock.ts';
import { invalidRequest } from '../errors.ts';
import { newId } from '../ids.ts';
import { emit } from '../webhooks/events.ts';
import type { Price, SchedulePhase, Subscription, SubscriptionItem, SubscriptionSchedule } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { itemsOf, periodOf, recurrenceOf, withPrice } from './items.ts';
import { addPeriods } from './periods.ts';
import { endSchedule, updateSubscription } from './subscription-state.ts';

export interface PhaseOrder {
  items: { price: Price; quantity: number }[];
  start: Seconds;
  end: Seconds;
  metadata: Record<string, string>;
}

/** A schedule whose only phase is the present: the current items until the end of the current period. */
export function scheduleFrom(world: World, subscription: Subscription): SubscriptionSchedule {
  if (subscription.schedule !== null) {
    throw invalidRequest(
      'You cannot migrate a subscription that is already attached to a schedule: ' +
        `\`${subscription.schedule}\`.`,
      { param: 'from_subscription' },
    );
  }
  const period = periodOf(subscription);
  const present = buildPhase(subscription, {
    items: itemsOf(subscription).map(({ price, quantity }) => ({ price, quantity: quantity ?? 1 })),
    start: period.start,
    end: period.end,
    metadata: {},
  });
  const schedule: SubscriptionSchedule = {
    id: newId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: subscription.billing_mode,
    canceled_at: null,
    completed_at: null,
    created: world.clock.seconds(),
    current_phase: { start_date: period.start, end_date: period.end },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [present],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  };
  world.store.put('subscription_schedule', schedule);
  emit(world, 'subscription_schedule.created', schedule);
  updateSubscription(world, subscription.id, { schedule: schedule.id });
  return schedule;
}

export function setPhases(
  world: World,
  schedule: SubscriptionSchedule,
  phases: PhaseOrder[],
): SubscriptionSchedule {
  const subscription = getObject(world, 'subscription', schedule.subscription ?? '');
  const [first] = phases;
  if (first === undefined || first.start !== schedule.phases[0]?.start_date) {
    throw invalidRequest('The first phase must begin when the schedule began.', { param: 'phases' });
  }
  return updateSchedule(world, schedule, { phases: phases.map((phase) => buildPhase(subscription, phase)) });
}

export function updateSchedule(
  world: World,
  before: SubscriptionSchedule,
  change: Partial<SubscriptionSchedule>,
): SubscriptionSchedule {
  const changed = { ...before, ...change };
  const phase = currentPhase(changed, world.clock.seconds());
  const after: SubscriptionSchedule = {
    ...changed,
    current_phase: phase ? { start_date: phase.start_date, end_date: phase.end_date } : null,
  };
  world.store.put('subscription_schedule', after);
  emit(world, 'subscription_schedule.updated', after, before);
  return after;
}

/** What the portal does with a downgrade: the present until its end, then one period of the new price, then free again. */
export function changeAtPeriodEnd(
  world: World,
  subscription: Subscription,
  items: PhaseOrder['items'],
): void {
  const schedule = scheduleFrom(world, subscription);
  const present = periodOf(subscription);
  const recurrence = recurrenceOf(items.map(({ price }) => price));
  setPhases(world, schedule, [
    {
      items: itemsOf(subscription).map(({ price, quantity }) => ({ price, quantity: quantity ?? 1 })),
      ...present,
      metadata: {},
    },
    { items, start: present.end, end: addPeriods(present.end, recurrence, 1), metadata: {} },
  ]);
}

/** The phase that begins when the current one ends, if there is one: a change that is still to come. */
export function nextPhase(world: World, subscription: Subscription): SchedulePhase | undefined {
  if (subscription.schedule === null) return undefined;
  const schedule = getObject(world, 'subscription_schedule', subscription.schedule);
  return schedule.phases.find((phase) => phase.start_date > world.clock.seconds());
}

export function releaseSchedule(world: World, scheduleId: string): SubscriptionSchedule {
  const subscription = getObject(world, 'subscription_schedule', scheduleId).subscription;
  const released = endSchedule(world, scheduleId, 'released');
  if (subscription !== null) updateSubscription(world, subscription, { schedule: null });
  return released;
}

/**
 * At the end of a period: the items of the phase that begins, or undefined when the items stay. A schedule with no
 * phase left lets its subscription go, or ends it.
 */
export function itemsOfNewPhase(
  world: World,
  subscription: Subscription,
): SubscriptionItem[] | 'cancel' | undefined {
  if (subscription.schedule === null) return undefined;
  const now = world.clock.seconds();
  const schedule = getObject(world, 'subscription_schedule', subscription.schedule);
  const phase = currentPhase(schedule, now);
  if (phase === undefined) {
    if (schedule.end_behavior === 'cancel') return 'cancel';
    releaseSchedule(world, schedule.id);
    return undefined;
  }
  if (phase.start_date !== now) return undefined;
  updateSchedule(world, schedule, {});
  return phase.items.map((wanted, index) => {
    const current = itemsOf(subscription)[index];
    const price = getObject(world, 'price', wanted.price);
    if (current === undefined)
      throw new Error(`phase ${phase.start_date} has more items than its subscription`);
    return withPrice(current, price, wanted.quantity ?? 1);
  });
}

const currentPhase = (schedule: SubscriptionSchedule, now: Seconds): SchedulePhase | undefined =>
  schedule.phases.find((phase) => phase.start_date <= now && now < phase.end_date);

function buildPhase(subscription: Subscription, order: PhaseOrder): SchedulePhase {
  if (order.items.length !== itemsOf(subscription).length) {
    throw invalidRequest('The stand-in schedules as many items as the subscription has.', {
      param: 'phases',
    });
  }
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: subscription.currency,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    end_date: order.end,
    invoice_settings: null,
    items: order.items.map(({ price, quantity }) => ({
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      plan: price.id,
      price: price.id,
      quantity,
      tax_rates: [],
    })),
    metadata: order.metadata,
    on_behalf_of: null,
    proration_behavior: 'none',
    start_date: order.start,
    transfer_data: null,
    trial_end: null,
  };
}
