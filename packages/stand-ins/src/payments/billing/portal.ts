import { invalidRequest } from '../errors.ts';
import type { PortalSession, Price, Subscription } from '../objects.ts';
import { getObject, type World } from '../world.ts';
import { changeAtPeriodEnd, nextPhase, releaseSchedule } from './schedules.ts';
import { costOf, isEnded, periodOf, updateSubscription } from './subscription-state.ts';
import { changePlan } from './subscriptions.ts';

/** Subscriptions that have not ended, newest first. */
export function subscriptionsOf(world: World, customer: string): Subscription[] {
  return world.store
    .all('subscription')
    .filter((subscription) => subscription.customer === customer && !isEnded(subscription))
    .reverse();
}

export function getSubscriptionOf(world: World, customer: string, id: string): Subscription {
  const subscription = getObject(world, 'subscription', id, 'subscription');
  if (subscription.customer === customer && !isEnded(subscription)) return subscription;
  throw invalidRequest('The subscription does not belong to this customer, or has ended.');
}

/** Why the plan cannot be changed in the portal, if it cannot: the real one's limits, in words for its page. */
export function whyNotUpdatable(world: World, subscription: Subscription): string | null {
  if (nextPhase(world, subscription)) return 'A change of plan is already scheduled. Undo it first.';
  if (subscription.cancel_at !== null) return 'Your subscription is set to end. Keep it first.';
  return subscription.status === 'active' ? null : 'Pay the open invoice first.';
}

/** The prices that the portal offers, cheapest first. */
export function offersOf(world: World, { configuration }: Pick<PortalSession, 'configuration'>): Price[] {
  return getObject(world, 'billing_portal.configuration', configuration)
    .features.subscription_update.products.flatMap(({ prices }) => prices)
    .map((id) => getObject(world, 'price', id))
    .filter((price) => price.active)
    .sort((a, b) => a.unit_amount - b.unit_amount);
}

export function getOffer(
  world: World,
  session: Pick<PortalSession, 'configuration'>,
  priceId: string,
): Price {
  const price = offersOf(world, session).find(({ id }) => id === priceId);
  if (price) return price;
  throw invalidRequest('The price is not one that the portal offers.', { param: 'price' });
}

/** A smaller plan begins when the period ends; any other one begins at once, at its full price. */
export const beginsLater = (subscription: Subscription, price: Price): boolean =>
  price.unit_amount < costOf(subscription);

/**
 * Carries out what was confirmed. A charge that is declined is an error and leaves everything as it was: what the real
 * portal does then is not documented, so the product must not grant anything before an invoice is paid.
 */
export function acceptOffer(world: World, subscription: Subscription, price: Price): void {
  const obstacle = whyNotUpdatable(world, subscription);
  if (obstacle !== null) throw invalidRequest(obstacle);
  // A schedule whose changes have all happened no longer matters.
  if (subscription.schedule !== null) releaseSchedule(world, subscription.schedule);

  if (beginsLater(subscription, price)) changeAtPeriodEnd(world, subscription, price);
  else changePlan(world, subscription, { price, keepsUnpaid: false });
}

/**
 * In flexible billing mode, which new subscriptions have, the portal writes the date of the end into `cancel_at` and
 * leaves `cancel_at_period_end` false.
 */
export function cancelInPortal(world: World, subscription: Subscription): void {
  if (subscription.cancel_at !== null || nextPhase(world, subscription))
    throw invalidRequest('This subscription cannot be cancelled here.');
  if (subscription.schedule !== null) releaseSchedule(world, subscription.schedule);
  updateSubscription(world, subscription.id, { cancel_at: periodOf(subscription).end });
}

/** Takes back a cancellation or a change of plan that is still to come. */
export function keepPlan(world: World, { id, schedule }: Subscription): void {
  if (schedule !== null) releaseSchedule(world, schedule);
  updateSubscription(world, id, { cancel_at: null, cancel_at_period_end: false });
}
