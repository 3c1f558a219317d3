import { releaseSchedule } from '../billing/schedules.ts';
import {
  costOf,
  endSubscription,
  isEnded,
  itemOf,
  periodOf,
  updateSubscription,
} from '../billing/subscription-state.ts';
import { changePlan, createSubscription } from '../billing/subscriptions.ts';
import { invalidRequest, missingResource } from '../errors.ts';
import type { Params } from '../http/params.ts';
import type { Price, Subscription, SubscriptionSchedule } from '../objects.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type ApiCall, idOf, listPage, type Routes, retrieving } from './call.ts';

export const subscriptionRoutes: Routes = {
  'POST /v1/subscriptions': create,
  'GET /v1/subscriptions': list,
  'GET /v1/subscriptions/:id': retrieving('subscription'),
  'POST /v1/subscriptions/:id': update,
  'DELETE /v1/subscriptions/:id': cancel,
  'POST /v1/subscription_schedules/:id/release': release,
};

function create({ world, params }: ApiCall): Subscription {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const price = readPrice(world, params.oneObject('items'));
  return createSubscription(world, { customer, price, card: null });
}

function list(call: ApiCall) {
  const { world, params } = call;
  const isEndedWanted = params.choice('status', ['all']) === 'all';
  const customer = params.text('customer');
  const paths = params.texts('expand');
  const found = world.store
    .all('subscription')
    .filter((subscription) => customer === undefined || subscription.customer === customer)
    .filter((subscription) => isEndedWanted || !isEnded(subscription));
  const page = listPage(call, found);
  return { ...page, data: page.data.map((subscription) => expand(world, subscription, paths)) };
}

/** Replaces the references that the product asks for by the objects they refer to. */
function expand(world: World, subscription: Subscription, paths: string[]): object {
  const { latest_invoice, schedule } = subscription;
  const expanded: Record<string, unknown> = { ...subscription };
  for (const path of paths) {
    if (path === 'data.latest_invoice') {
      expanded.latest_invoice = world.store.find('invoice', latest_invoice ?? '') ?? null;
    } else if (path === 'data.schedule') {
      expanded.schedule = world.store.find('subscription_schedule', schedule ?? '') ?? null;
    } else throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  }
  return expanded;
}

function update(call: ApiCall): Subscription {
  const { world, params } = call;
  const before = getObject(world, 'subscription', idOf(call));
  if (isEnded(before)) throw invalidRequest('You cannot update a subscription that is `canceled`.');
  if (before.schedule !== null) {
    throw invalidRequest(`The subscription is managed by the subscription schedule \`${before.schedule}\`.`);
  }
  const planned = updateSubscription(world, before.id, readCancellation(params, before));
  return params.has('items') ? changePlan(world, planned, readPlanChange(world, params, planned)) : planned;
}

/**
 * The product sells without proration and into a new month, so a change of plan has to say so: the real defaults differ.
 * From a price of 0 the real service always begins a new month, also when not asked to.
 */
function readPlanChange(world: World, params: Params, subscription: Subscription) {
  const item = params.oneObject('items');
  const id = item.requiredText('id');
  if (id !== itemOf(subscription).id) throw missingResource('subscription_item', id, 'items[0][id]');
  params.fixed({ proration_behavior: 'none' });
  if (params.has('billing_cycle_anchor') || costOf(subscription) > 0) {
    params.requiredObject('billing_cycle_anchor').fixed({ type: 'now' });
  }
  const behavior = params.choice('payment_behavior', ['allow_incomplete', 'error_if_incomplete']);
  return { price: readPrice(world, item), keepsUnpaid: behavior !== 'error_if_incomplete' };
}

function readPrice(world: World, item: Params): Price {
  const price = getObject(world, 'price', item.requiredText('price'), 'price');
  if (price.active) return price;
  throw invalidRequest('The price is inactive. This field only accepts active prices.', { param: 'price' });
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
  return isFlagged === false && subscription.cancel_at_period_end
    ? { cancel_at: null, cancel_at_period_end: false }
    : {};
}

function cancel(call: ApiCall): Subscription {
  const subscription = getObject(call.world, 'subscription', idOf(call));
  if (isEnded(subscription)) throw missingResource('subscription', subscription.id);
  return endSubscription(call.world, subscription.id);
}

function release(call: ApiCall): SubscriptionSchedule {
  const schedule = getObject(call.world, 'subscription_schedule', idOf(call));
  if (schedule.status === 'active') return releaseSchedule(call.world, schedule.id);
  throw invalidRequest(`You cannot release a subscription schedule that is \`${schedule.status}\`.`);
}
