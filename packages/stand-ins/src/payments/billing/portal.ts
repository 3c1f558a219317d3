import { invalidRequest } from '../errors.ts';
import type { PortalConfiguration, Price, Product, Subscription } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { changePlan, startsNewPeriod } from './changes.ts';
import { itemsOf, periodOf, withPrice } from './items.ts';
import { amountOf } from './money.ts';
import { changeAtPeriodEnd, nextPhase, releaseSchedule } from './schedules.ts';
import { endSubscription, isEnded, noCancellation, updateSubscription } from './subscription-state.ts';

/** A plan as the portal offers it to somebody. */
export interface Offer {
  product: Product;
  price: Price;
  isCurrent: boolean;
  isUpgrade: boolean;
  /** When it would take effect. */
  when: 'now' | 'period_end';
  /** What is charged the moment the change is confirmed. */
  chargedNow: number;
}

/** Subscriptions that the portal shows: those that have not ended, newest first. */
export function subscriptionsOf(world: World, customer: string): Subscription[] {
  return world.store
    .all('subscription')
    .filter((subscription) => subscription.customer === customer && !isEnded(subscription))
    .reverse();
}

export function getSubscriptionOf(
  world: World,
  customer: string,
  id: string,
  param = 'subscription',
): Subscription {
  const subscription = getObject(world, 'subscription', id, param);
  if (subscription.customer !== customer || isEnded(subscription)) {
    throw invalidRequest('The subscription does not belong to this customer, or has ended.', { param });
  }
  return subscription;
}

/** Why the plan cannot be changed in the portal, if it cannot: the real one's limits, in words for its page. */
export function whyNotUpdatable(
  world: World,
  configuration: PortalConfiguration,
  subscription: Subscription,
): string | null {
  const { subscription_update: feature } = configuration.features;
  if (!feature.enabled) return 'Plans cannot be changed here.';
  if (itemsOf(subscription).length !== 1)
    return 'A subscription with several products can only be cancelled here.';
  if (nextPhase(world, subscription))
    return 'A change of plan is already scheduled. Undo it to choose another plan.';
  if (subscription.cancel_at !== null)
    return 'Your subscription is set to end. Keep it to choose another plan.';
  if (subscription.pending_update !== null) return 'A change of plan is waiting for its payment.';
  if (subscription.status !== 'active') return 'Pay the open invoice first; then you can change your plan.';
  return null;
}

export function offersFor(
  world: World,
  configuration: PortalConfiguration,
  subscription: Subscription,
): Offer[] {
  const products = configuration.features.subscription_update.products ?? [];
  return products
    .flatMap(({ prices }) => prices)
    .map((id) => getObject(world, 'price', id))
    .filter((price) => price.active)
    .map((price) => offerOf(world, configuration, subscription, price))
    .sort((a, b) => amountOf(a.price) - amountOf(b.price));
}

export function getOffer(
  world: World,
  configuration: PortalConfiguration,
  subscription: Subscription,
  priceId: string,
): Offer {
  const offer = offersFor(world, configuration, subscription).find(({ price }) => price.id === priceId);
  if (offer === undefined)
    throw invalidRequest('The price is not one that the portal offers.', { param: 'price' });
  return offer;
}

function offerOf(
  world: World,
  configuration: PortalConfiguration,
  subscription: Subscription,
  price: Price,
): Offer {
  const { subscription_update: feature } = configuration.features;
  const [item] = itemsOf(subscription);
  const current = item === undefined ? 0 : amountOf(item.price, item.quantity);
  const wanted = amountOf(price, item?.quantity);
  const waits =
    wanted < current &&
    feature.schedule_at_period_end.conditions.some(({ type }) => type === 'decreasing_item_amount');
  const anchor = feature.billing_cycle_anchor === 'now' ? 'now' : 'unchanged';
  const isBilled =
    !waits &&
    item !== undefined &&
    startsNewPeriod(subscription, { items: [withPrice(item, price, item.quantity ?? 1)], anchor });
  return {
    product: getObject(world, 'product', price.product),
    price,
    isCurrent: item?.price.id === price.id,
    isUpgrade: wanted > current,
    when: waits ? 'period_end' : 'now',
    chargedNow: isBilled ? wanted : 0,
  };
}

/**
 * Carries out what was confirmed. A charge that is declined is an error and leaves everything as it was: what the real
 * portal does then is not documented, so the product must not grant anything before an invoice is paid.
 */
export function acceptOffer(
  world: World,
  configuration: PortalConfiguration,
  subscription: Subscription,
  offer: Offer,
): void {
  const obstacle = whyNotUpdatable(world, configuration, subscription);
  if (obstacle !== null) throw invalidRequest(obstacle);
  // A schedule whose changes have all happened is in nobody's way; it is let go.
  if (subscription.schedule !== null) releaseSchedule(world, subscription.schedule);

  const current = getObject(world, 'subscription', subscription.id);
  const quantity = itemsOf(current)[0]?.quantity ?? 1;
  if (offer.when === 'period_end') {
    changeAtPeriodEnd(world, current, [{ price: offer.price, quantity }]);
    return;
  }
  const { billing_cycle_anchor: anchor } = configuration.features.subscription_update;
  changePlan(world, subscription.id, {
    items: itemsOf(current).map((item) => withPrice(item, offer.price, quantity)),
    anchor: anchor === 'now' ? 'now' : 'unchanged',
    paymentBehavior: 'error_if_incomplete',
  });
}

export function undoScheduledChange(world: World, subscription: Subscription): void {
  if (subscription.schedule !== null) releaseSchedule(world, subscription.schedule);
}

export function canCancel(
  world: World,
  configuration: PortalConfiguration,
  subscription: Subscription,
): boolean {
  return (
    configuration.features.subscription_cancel.enabled &&
    subscription.cancel_at === null &&
    nextPhase(world, subscription) === undefined
  );
}

/**
 * In flexible billing mode, which new subscriptions have, the portal writes the date of the end into `cancel_at` and
 * leaves `cancel_at_period_end` false.
 */
export function cancelInPortal(
  world: World,
  configuration: PortalConfiguration,
  subscription: Subscription,
  feedback: string | null,
): void {
  if (!canCancel(world, configuration, subscription))
    throw invalidRequest('This subscription cannot be cancelled here.');
  if (subscription.schedule !== null) releaseSchedule(world, subscription.schedule);
  if (configuration.features.subscription_cancel.mode === 'immediately') {
    endSubscription(world, subscription.id, { feedback, reason: 'cancellation_requested' });
    return;
  }
  updateSubscription(world, subscription.id, {
    cancel_at: periodOf(subscription).end,
    canceled_at: world.clock.seconds(),
    cancellation_details: { ...noCancellation, feedback, reason: 'cancellation_requested' },
  });
}

export function keepInPortal(world: World, subscription: Subscription): void {
  updateSubscription(world, subscription.id, {
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: noCancellation,
  });
}
