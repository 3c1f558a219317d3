import { itemsOf, recurrenceOf } from '../billing/items.ts';
import { addPeriods } from '../billing/periods.ts';
import {
  type PhaseOrder,
  releaseSchedule,
  scheduleFrom,
  setPhases,
  updateSchedule,
} from '../billing/schedules.ts';
import { endSubscription, isEnded } from '../billing/subscription-state.ts';
import { invalidRequest } from '../errors.ts';
import { applyMetadata, missing, type Params } from '../http/params.ts';
import type { SubscriptionSchedule } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { createdFilter, listPage, matching } from './lists.ts';

export const scheduleRoutes: Routes = {
  'POST /v1/subscription_schedules': create,
  'GET /v1/subscription_schedules': list,
  'GET /v1/subscription_schedules/:id': (call) => getObject(call.world, 'subscription_schedule', idOf(call)),
  'POST /v1/subscription_schedules/:id': update,
  'POST /v1/subscription_schedules/:id/release': release,
  'POST /v1/subscription_schedules/:id/cancel': cancel,
};

function create({ world, params }: ApiCall): SubscriptionSchedule {
  const id = params.requiredText('from_subscription');
  const other = params.names().find((name) => name !== 'from_subscription' && name !== 'expand');
  if (other !== undefined) {
    throw invalidRequest(`You cannot set \`${other}\` if \`from_subscription\` is set.`, { param: other });
  }
  const subscription = getObject(world, 'subscription', id, 'from_subscription');
  if (isEnded(subscription)) throw invalidRequest('You cannot schedule a subscription that has ended.');
  return scheduleFrom(world, subscription);
}

function list({ world, params }: ApiCall) {
  const newestFirst = world.store
    .all('subscription_schedule')
    .filter(matching('customer', params.text('customer')))
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/subscription_schedules', newestFirst });
}

function update(call: ApiCall): SubscriptionSchedule {
  const { world, params } = call;
  const before = getActive(world, idOf(call));
  params.choice('proration_behavior', ['none']);
  const phases = params.objects('phases');
  const changed = phases === undefined ? before : setPhases(world, before, readPhases(world, phases, before));
  return updateSchedule(world, changed, {
    end_behavior: params.choice('end_behavior', ['release', 'cancel']) ?? changed.end_behavior,
    metadata: applyMetadata(changed.metadata, params.metadata()),
  });
}

/** A phase that does not say when it begins follows the one before; the last may leave its end to us. */
function readPhases(world: World, phases: Params[], schedule: SubscriptionSchedule): PhaseOrder[] {
  const orders: PhaseOrder[] = [];
  for (const phase of phases) {
    phase.choice('proration_behavior', ['none']);
    const items = (phase.objects('items') ?? []).map((item) => ({
      price: getObject(world, 'price', item.requiredText('price'), item.nameOf('price')),
      quantity: item.integer('quantity') ?? 1,
    }));
    if (items.length === 0) throw missing(phase.nameOf('items'));
    const start = phase.integer('start_date') ?? orders.at(-1)?.end ?? schedule.phases[0]?.start_date ?? 0;
    orders.push({
      items,
      start,
      end: readEnd(phase, items, start),
      metadata: applyMetadata(null, phase.metadata()),
    });
  }
  for (const order of orders.slice(0, -1)) assertPeriodEnd(world, schedule, order.end);
  return orders;
}

function readEnd(phase: Params, items: PhaseOrder['items'], start: number): number {
  const end = phase.integer('end_date');
  const duration = phase.object('duration');
  if (end !== undefined) return end;
  const recurrence = recurrenceOf(items.map(({ price }) => price));
  if (duration === undefined) return addPeriods(start, recurrence, 1);
  const interval = duration.choice('interval', ['day', 'week', 'month', 'year']) ?? recurrence.interval;
  return addPeriods(start, { interval, interval_count: duration.integer('interval_count') ?? 1 }, 1);
}

function assertPeriodEnd(world: World, schedule: SubscriptionSchedule, moment: number): void {
  const subscription = getObject(world, 'subscription', schedule.subscription ?? '');
  const [item] = itemsOf(subscription);
  if (item === undefined || moment === item.current_period_end) return;
  throw invalidRequest('The stand-in changes phases at the end of the current period only.', {
    param: 'phases',
  });
}

function release(call: ApiCall): SubscriptionSchedule {
  return releaseSchedule(call.world, getActive(call.world, idOf(call)).id);
}

function cancel(call: ApiCall): SubscriptionSchedule {
  const { world, params } = call;
  for (const name of ['invoice_now', 'prorate']) {
    if (params.boolean(name)) throw invalidRequest('The stand-in does not prorate.', { param: name });
  }
  const schedule = getActive(world, idOf(call));
  endSubscription(world, schedule.subscription ?? '', { reason: 'cancellation_requested' });
  return getObject(world, 'subscription_schedule', schedule.id);
}

function getActive(world: World, id: string): SubscriptionSchedule {
  const schedule = getObject(world, 'subscription_schedule', id);
  if (schedule.status !== 'active') {
    throw invalidRequest(`You cannot change a subscription schedule that is \`${schedule.status}\`.`);
  }
  return schedule;
}
