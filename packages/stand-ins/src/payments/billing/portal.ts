import { invalidRequest } from '../errors.ts';
import type { PortalConfiguration, Price, Product, Subscription } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { changeAtPeriodEnd, nextPhase, releaseSchedule } from './schedules.ts';
import { costOf, isEnded, itemOf, periodOf, updateSubscription } from './subscription-state.ts';
import { changePlan } from './subscriptions.ts';

/** A plan as the portal offers it to a customer. */
export interface Offer {
  product: Product;
  price: Price;
  isCurrent: boolean;
  isUpgrade: boolean;
  /** When it would take effect. */
  when: 'now' | 'period_end';
  /** Charged when the change is confirmed. */
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
export function whyNotUpdatable(world: World, subscription: Subscription): string | null {
  if (nextPhase(world, subscription))
    return 'A change of plan is already scheduled. Undo it to choose another plan.';
  if (subscription.cancel_at !== null)
    return 'Your subscription is set to end. Keep it to choose another plan.';
  if (subscription.status !== 'active') return 'Pay the open invoice first; then you can change your plan.';
  return null;
}

export function offersFor(
  world: World,
  configuration: PortalConfiguration,
  subscription: Subscription,
): Offer[] {
  return configuration.features.subscription_update.products
    .flatMap(({ prices }) => prices)
    .map((id) => getObject(world, 'price', id))
    .filter((price) => price.active)
    .map((price) => offerOf(world, subscription, price))
    .sort((a, b) => a.price.unit_amount - b.price.unit_amount);
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

/** A smaller plan begins when the period ends; any other one begins at once, at its full price. */
function offerOf(world: World, subscription: Subscription, price: Price): Offer {
  const current = costOf(subscription);
  const waits = price.unit_amount < current;
  return {
    product: getObject(world, 'product', price.product),
    price,
    isCurrent: itemOf(subscription).price.id === price.id,
    isUpgrade: price.unit_amount > current,
    when: waits ? 'period_end' : 'now',
    chargedNow: waits ? 0 : price.unit_amount,
  };
}

/**
 * Carries out what was confirmed. A charge that is declined is an error and leaves everything as it was: what the real
 * portal does then is not documented, so the product must not grant anything before an invoice is paid.
 */
export function acceptOffer(world: World, subscription: Subscription, offer: Offer): void {
  const obstacle = whyNotUpdatable(world, subscription);
  if (obstacle !== null) throw invalidRequest(obstacle);
  // A schedule whose changes have all happened no longer matters.
  if (subscription.schedule !== null) releaseSchedule(world, subscription.schedule);

  const current = getObject(world, 'subscription', subscription.id);
  if (offer.when === 'period_end') changeAtPeriodEnd(world, current, offer.price);
  else changePlan(world, current.id, { price: offer.price, paymentBehavior: 'error_if_incomplete' });
}

export function undoScheduledChange(world: World, subscription: Subscription): void {
  if (subscription.schedule !== null) releaseSchedule(world, subscription.schedule);
}

export const canCancel = (world: World, subscription: Subscription): boolean =>
  subscription.cancel_at === null && nextPhase(world, subscription) === undefined;

/**
 * In flexible billing mode, which new subscriptions have, the portal writes the date of the end into `cancel_at` and
 * leaves `cancel_at_period_end` false.
 */
export function cancelInPortal(world: World, subscription: Subscription): void {
  if (!canCancel(world, subscription)) throw invalidRequest('This subscription cannot be cancelled here.');
  undoScheduledChange(world, subscription);
  updateSubscription(world, subscription.id, { cancel_at: periodOf(subscription).end });
}

export function keepInPortal(world: World, subscription: Subscription): void {
  updateSubscription(world, subscription.id, { cancel_at: null, cancel_at_period_end: false });
}
