import { releaseSchedule } from '../billing/schedules.ts';
import {
  endSubscription,
  isEnded,
  itemOf,
  periodOf,
  updateSubscription,
} from '../billing/subscription-state.ts';
import { beginsNewMonth, changePlan, createSubscription } from '../billing/subscriptions.ts';
import { invalidRequest, missingResource } from '../errors.ts';
import type { Params } from '../http/params.ts';
import type { Price, Subscription, SubscriptionSchedule } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { listPage, matching } from './lists.ts';

export const subscriptionRoutes: Routes = {
  'POST /v1/subscriptions': create,
  'GET /v1/subscriptions': list,
  'GET /v1/subscriptions/:id': (call) => getObject(call.world, 'subscription', idOf(call)),
  'POST /v1/subscriptions/:id': update,
  'DELETE /v1/subscriptions/:id': cancel,
  'POST /v1/subscription_schedules/:id/release': release,
};

function create({ world, params }: ApiCall): Subscription {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const price = readPrice(world, params.oneObject('items'));
  return createSubscription(world, { customer, price, card: null });
}

function list({ world, params }: ApiCall) {
  const isEndedWanted = params.choice('status', ['all']) === 'all';
  const paths = params.texts('expand') ?? [];
  const found = world.store
    .all('subscription')
    .filter(matching('customer', params.text('customer')))
    .filter((subscription) => isEndedWanted || !isEnded(subscription));
  const page = listPage(params, '/v1/subscriptions', found);
  return { ...page, data: page.data.map((subscription) => expand(world, subscription, paths)) };
}

/** Replaces the references that the product asks for by the objects they refer to. */
function expand(world: World, subscription: Subscription, paths: string[]): object {
  const expanded: Record<string, unknown> = { ...subscription };
  for (const path of paths) {
    if (path === 'data.latest_invoice') {
      expanded.latest_invoice = world.store.find('invoice', subscription.latest_invoice ?? '') ?? null;
    } else if (path === 'data.schedule') {
      expanded.schedule = world.store.find('subscription_schedule', subscription.schedule ?? '') ?? null;
    } else throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  }
  return expanded;
}

function update(call: ApiCall): Subscription {
  const { world, params } = call;
  const before = getObject(world, 'subscription', idOf(call));
  if (isEnded(before)) throw invalidRequest('You cannot update a subscription that is `canceled`.');
  const isChange = params.has('items') || params.has('cancel_at') || params.has('cancel_at_period_end');
  if (isChange && before.schedule !== null) throw managedBySchedule(before.schedule);

  const planned = updateSubscription(world, before.id, readCancellation(params, before));
  return params.has('items')
    ? changePlan(world, planned.id, readPlanChange(world, params, planned))
    : planned;
}

const managedBySchedule = (schedule: string) =>
  invalidRequest(
    `The subscription is managed by the subscription schedule \`${schedule}\`, and updating it directly is not allowed. Please update or release the schedule instead.`,
  );

/** The product sells without proration, so a change of plan has to say so: the real default is to prorate. */
function readPlanChange(world: World, params: Params, subscription: Subscription) {
  const item = params.oneObject('items');
  const id = item.requiredText('id');
  if (id !== itemOf(subscription).id) throw missingResource('subscription_item', id, 'items[0][id]');
  const price = readPrice(world, item);
  params.requiredChoice('proration_behavior', ['none']);
  const anchor = params.object('billing_cycle_anchor')?.requiredChoice('type', ['now']);
  if (anchor === undefined && !beginsNewMonth(subscription)) {
    throw invalidRequest('The stand-in changes a paid plan only with billing_cycle_anchor[type]=now.', {
      param: 'billing_cycle_anchor',
    });
  }
  const paymentBehavior =
    params.choice('payment_behavior', ['allow_incomplete', 'error_if_incomplete']) ?? 'allow_incomplete';
  return { price, paymentBehavior };
}

function readPrice(world: World, item: Params): Price {
  const price = getObject(world, 'price', item.requiredText('price'), item.nameOf('price'));
  if (!price.active) {
    throw invalidRequest('The price specified is inactive. This field only accepts active prices.', {
      param: item.nameOf('price'),
    });
  }
  return price;
}

/** A date is not the flag: the real service clears each by its own field, as far as its pages say. */
function readCancellation(params: Params, subscription: Subscription): Partial<Subscription> {
  const { end } = periodOf(subscription);
  if (params.has('cancel_at')) {
    const isSet = params.choice('cancel_at', ['min_period_end']) !== undefined;
    return { cancel_at: isSet ? end : null, cancel_at_period_end: false };
  }
  const isFlagged = params.boolean('cancel_at_period_end');
  if (isFlagged) return { cancel_at: end, cancel_at_period_end: true };
  if (isFlagged === false && subscription.cancel_at_period_end) {
    return { cancel_at: null, cancel_at_period_end: false };
  }
  return {};
}

function cancel(call: ApiCall): Subscription {
  const subscription = getObject(call.world, 'subscription', idOf(call));
  if (isEnded(subscription)) throw missingResource('subscription', subscription.id);
  return endSubscription(call.world, subscription.id);
}

function release(call: ApiCall): SubscriptionSchedule {
  const schedule = getObject(call.world, 'subscription_schedule', idOf(call));
  if (schedule.status !== 'active') {
    throw invalidRequest(`You cannot release a subscription schedule that is \`${schedule.status}\`.`);
  }
  return releaseSchedule(call.world, schedule.id);
}
