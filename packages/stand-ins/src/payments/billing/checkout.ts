import type { CheckoutSession, Price } from '../objects.ts';
import { getCustomer, getObject, make, type World } from '../world.ts';
import { type CardDetails, saveCard } from './cards.ts';
import { payOnce } from './charges.ts';
import { markPaid } from './collection.ts';
import { addLine, finalizeInvoice } from './invoices.ts';
import { createSubscription } from './subscriptions.ts';

/**
 * What pressing the button of the page does. A card that is declined is an error, and then nothing has happened: the
 * session stays open for another card. The subscription keeps the card for itself; the customer's own default stays.
 */
export function completeCheckout(world: World, session: CheckoutSession, details: CardDetails): void {
  const customer = getCustomer(world, session.customer);
  const card = saveCard(world, customer, details);
  const price = priceOf(world, session);
  const complete: CheckoutSession = { ...session, status: 'complete', url: null };
  if (session.mode === 'subscription') {
    createSubscription(world, { customer, price, card: card.id });
    world.store.put('checkout.session', complete);
    return;
  }
  const { unit_amount: amount, currency } = price;
  const { metadata = {} } = getObject(world, 'order', session.id);
  const order = { customer: customer.id, amount, currency };
  const intent = payOnce(world, { ...order, metadata, payment_method: card.id });
  // Nobody asked to save it.
  world.store.put('payment_method', { ...card, customer: null });
  const draft = make(world, 'invoice', { customer: customer.id, currency });
  const description = getObject(world, 'product', price.product).name;
  const open = finalizeInvoice(world, addLine(world, draft, { amount, currency, description }));
  const invoice = markPaid(world, open).id;
  world.store.put('checkout.session', { ...complete, payment_intent: intent.id, invoice });
}

export function priceOf(world: World, session: CheckoutSession): Price {
  const [item] = getObject(world, 'order', session.id).items;
  return getObject(world, 'price', item?.price ?? '');
}
