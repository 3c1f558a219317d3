import { changePlan, type PlanChange } from '../billing/changes.ts';
import { buildItem, itemsOf, periodOf, withPrice } from '../billing/items.ts';
import { getCardOf } from '../billing/payment-methods.ts';
import { endSubscription, isEnded, updateSubscription } from '../billing/subscription-state.ts';
import { createSubscription } from '../billing/subscriptions.ts';
import { invalidRequest } from '../errors.ts';
import { applyMetadata, missing, type Params } from '../http/params.ts';
import type { Price, Subscription, SubscriptionItem } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type ApiCall, idOf, type Routes } from './call.ts';
import { createdFilter, listPage, matching } from './lists.ts';

export const subscriptionRoutes: Routes = {
  'POST /v1/subscriptions': create,
  'GET /v1/subscriptions': list,
  'GET /v1/subscriptions/:id': (call) => getObject(call.world, 'subscription', idOf(call)),
  'POST /v1/subscriptions/:id': update,
  'DELETE /v1/subscriptions/:id': cancel,
};

function create({ world, params }: ApiCall): Subscription {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer');
  const items = params.objects('items');
  if (items === undefined || items.length === 0) throw missing('items');
  params.choice('collection_method', ['charge_automatically']);
  params.choice('proration_behavior', ['none']);
  params.boolean('off_session');
  const order = items.map((item) => ({
    price: readPrice(world, item),
    quantity: item.integer('quantity') ?? 1,
    metadata: applyMetadata(null, item.metadata()),
  }));
  const created = createSubscription(world, {
    customer,
    items: order,
    card: readCard(world, params, customer.id) ?? null,
    metadata: applyMetadata(null, params.metadata()),
    description: params.text('description') ?? null,
    paymentBehavior:
      params.choice('payment_behavior', ['allow_incomplete', 'default_incomplete', 'error_if_incomplete']) ??
      'allow_incomplete',
  });
  const cancellation = readCancellation(world, params, created);
  return cancellation === undefined ? created : updateSubscription(world, created.id, cancellation);
}

function list({ world, params }: ApiCall) {
  const status = params.text('status');
  const price = params.text('price');
  const newestFirst = world.store
    .all('subscription')
    .filter(matching('customer', params.text('customer')))
    .filter((subscription) => hasStatus(subscription, status))
    .filter(
      (subscription) => price === undefined || itemsOf(subscription).some((item) => item.price.id === price),
    )
    .filter(createdFilter(params))
    .reverse();
  return listPage(params, { url: '/v1/subscriptions', newestFirst });
}

function hasStatus(subscription: Subscription, wanted: string | undefined): boolean {
  if (wanted === 'all') return true;
  if (wanted === 'ended') return isEnded(subscription);
  return wanted === undefined ? subscription.status !== 'canceled' : subscription.status === wanted;
}

function update(call: ApiCall): Subscription {
  const { world, params } = call;
  const before = getObject(world, 'subscription', idOf(call));
  if (isEnded(before)) {
    throw invalidRequest('You cannot update a subscription that is `canceled` or `incomplete_expired`.');
  }
  const paymentBehavior =
    params.choice('payment_behavior', ['allow_incomplete', 'error_if_incomplete', 'pending_if_incomplete']) ??
    'allow_incomplete';
  if (paymentBehavior === 'pending_if_incomplete') refuseWhatCannotBePending(params);
  refuseProration(params);
  params.boolean('off_session');

  updateSubscription(world, before.id, {
    ...readDetails(world, params, before),
    ...readCancellation(world, params, before),
  });
  const change = readPlanChange(world, params, before, paymentBehavior);
  return change === undefined
    ? getObject(world, 'subscription', before.id)
    : changePlan(world, before.id, change);
}

function readDetails(world: World, params: Params, before: Subscription): Partial<Subscription> {
  const card = readCard(world, params, before.customer);
  const description = params.clearableText('description');
  return {
    metadata: applyMetadata(before.metadata, params.metadata()),
    ...(card === undefined ? {} : { default_payment_method: card }),
    ...(description === undefined ? {} : { description }),
  };
}

function readPlanChange(
  world: World,
  params: Params,
  before: Subscription,
  paymentBehavior: PlanChange['paymentBehavior'],
): PlanChange | undefined {
  // Since the endive versions the anchor is an object, and a plain `now` is turned down.
  const anchor = params.object('billing_cycle_anchor')?.choice('type', ['now', 'unchanged']) ?? 'unchanged';
  const orders = params.objects('items');
  if (orders === undefined && anchor === 'unchanged') return undefined;
  if (before.schedule !== null) throw managedBySchedule(before.schedule);

  const items = orders === undefined ? itemsOf(before) : readItems(world, orders, before);
  const isSame = JSON.stringify(items) === JSON.stringify(itemsOf(before));
  return isSame && anchor === 'unchanged' ? undefined : { items, anchor, paymentBehavior };
}

/** Items named by id are changed or dropped, others are added, and those not named stay. */
function readItems(world: World, orders: Params[], subscription: Subscription): SubscriptionItem[] {
  let items = itemsOf(subscription);
  for (const order of orders) {
    const id = order.text('id');
    const existing = items.find((item) => item.id === id);
    if (id !== undefined && existing === undefined) {
      throw invalidRequest(`No such subscription_item: '${id}'`, {
        param: order.nameOf('id'),
        code: 'resource_missing',
      });
    }
    if (existing === undefined) items = [...items, addItem(world, order, subscription)];
    else if (order.boolean('deleted')) items = items.filter((item) => item.id !== id);
    else items = items.map((item) => (item.id === id ? changeItem(world, order, item) : item));
  }
  if (items.length === 0)
    throw invalidRequest('A subscription must have at least one active plan.', { param: 'items' });
  return items;
}

function addItem(world: World, order: Params, subscription: Subscription): SubscriptionItem {
  return buildItem(world, {
    subscription: subscription.id,
    price: readPrice(world, order),
    quantity: order.integer('quantity') ?? 1,
    metadata: applyMetadata(null, order.metadata()),
    period: periodOf(subscription),
  });
}

function changeItem(world: World, order: Params, item: SubscriptionItem): SubscriptionItem {
  const price = order.has('price') ? readPrice(world, order) : item.price;
  const changed = withPrice(item, price, order.integer('quantity') ?? item.quantity ?? 1);
  return { ...changed, metadata: applyMetadata(item.metadata, order.metadata()) };
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

function readCard(world: World, params: Params, customer: string): string | undefined {
  const card = params.text('default_payment_method');
  if (card !== undefined) getCardOf(world, customer, card, 'default_payment_method');
  return card;
}

/**
 * The product sells without proration. The real default is to prorate, so a change of plan has to say otherwise;
 * rather than work out what nobody asks for, the stand-in insists on it.
 */
function refuseProration(params: Params): void {
  const behavior = params.text('proration_behavior');
  const changesPlan = params.has('items') || params.has('billing_cycle_anchor');
  if (behavior === 'none' || (behavior === undefined && !changesPlan)) return;
  throw invalidRequest("The stand-in does not prorate: pass proration_behavior 'none'.", {
    param: 'proration_behavior',
  });
}

const canBePending = new Set([
  'billing_cycle_anchor',
  'expand',
  'items',
  'off_session',
  'payment_behavior',
  'proration_behavior',
]);

function refuseWhatCannotBePending(params: Params): void {
  const refused = params.names().find((name) => !canBePending.has(name));
  if (refused === undefined) return;
  throw invalidRequest(
    `When \`payment_behavior\` is set to \`pending_if_incomplete\`, you can only pass supported params. \`${refused}\` is not supported.`,
    { param: refused },
  );
}

function readCancellation(
  world: World,
  params: Params,
  subscription: Subscription,
): Partial<Subscription> | undefined {
  const atPeriodEnd = params.boolean('cancel_at_period_end');
  const cancelAt = readCancelAt(params, subscription);
  if (atPeriodEnd === undefined && cancelAt === undefined) return undefined;
  if (subscription.schedule !== null) throw managedBySchedule(subscription.schedule);
  if (atPeriodEnd !== undefined && cancelAt !== undefined) {
    throw invalidRequest('Pass either `cancel_at` or `cancel_at_period_end`, not both.', {
      param: 'cancel_at',
    });
  }
  // A date is not the flag: the real service clears each by its own field, as far as its pages say.
  if (atPeriodEnd === false && !subscription.cancel_at_period_end) return undefined;
  const end = atPeriodEnd ? periodOf(subscription).end : (cancelAt ?? null);
  return {
    cancel_at: end,
    cancel_at_period_end: atPeriodEnd ?? false,
    canceled_at: end === null ? null : world.clock.seconds(),
  };
}

function readCancelAt(params: Params, subscription: Subscription): number | null | undefined {
  if (!params.has('cancel_at')) return undefined;
  const value = params.text('cancel_at');
  if (value === undefined) return null;
  if (value === 'min_period_end' || value === 'max_period_end') return periodOf(subscription).end;
  return params.integer('cancel_at') ?? null;
}

const managedBySchedule = (schedule: string) =>
  invalidRequest(
    `The subscription is managed by the subscription schedule \`${schedule}\`, and updating it directly is not allowed. Please update or release the schedule instead.`,
  );

function cancel(call: ApiCall): Subscription {
  const { world, params } = call;
  const subscription = getObject(world, 'subscription', idOf(call));
  if (isEnded(subscription)) {
    throw invalidRequest(`No such subscription: '${subscription.id}'`, {
      code: 'resource_missing',
      param: 'id',
    });
  }
  for (const name of ['invoice_now', 'prorate']) {
    if (params.boolean(name)) throw invalidRequest('The stand-in does not prorate.', { param: name });
  }
  const details = params.object('cancellation_details');
  return endSubscription(world, subscription.id, {
    comment: details?.text('comment') ?? null,
    feedback: details?.text('feedback') ?? null,
    reason: 'cancellation_requested',
  });
}
