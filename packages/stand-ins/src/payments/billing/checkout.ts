import type { CheckoutSession } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type CardDetails, saveCard } from './cards.ts';
import { createSubscription } from './subscriptions.ts';

export function expireCheckout(world: World, session: CheckoutSession): void {
  world.store.put('checkout.session', { ...session, status: 'expired', url: null });
}

/**
 * What pressing the button of the page does. A card that is declined is an error, and then nothing has happened: the
 * session stays open for another card. The subscription keeps the card for itself; the customer's own default stays.
 */
export function completeCheckout(world: World, session: CheckoutSession, details: CardDetails): void {
  const customer = getCustomer(world, session.customer);
  const card = saveCard(world, customer, details);
  createSubscription(world, { customer, price: priceOf(world, session), card: card.id });
  world.store.put('checkout.session', { ...session, status: 'complete', url: null });
}

export function priceOf(world: World, session: CheckoutSession) {
  const [item] = getObject(world, 'order', session.id).items;
  return getObject(world, 'price', item?.price ?? '');
}
