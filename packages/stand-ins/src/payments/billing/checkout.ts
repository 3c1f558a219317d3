import type { CheckoutSession, Price } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { type CardDetails, saveCard } from './cards.ts';
import { payOnce } from './charges.ts';
import { markPaid } from './collection.ts';
import { draftInvoiceOfPayment, finalizeInvoice } from './invoices.ts';
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
  const price = priceOf(world, session);
  const complete: CheckoutSession = { ...session, status: 'complete', url: null };
  if (session.mode !== 'payment') {
    createSubscription(world, { customer, price, card: card.id });
    world.store.put('checkout.session', complete);
    return;
  }
  const { metadata = {} } = getObject(world, 'order', session.id);
  const intent = payOnce(world, card, { customer, price, metadata });
  // Nobody asked to save it.
  world.store.put('payment_method', { ...card, customer: null });
  const invoice = markPaid(
    world,
    finalizeInvoice(world, draftInvoiceOfPayment(world, { customer: customer.id, price })),
  );
  world.store.put('checkout.session', { ...complete, payment_intent: intent.id, invoice: invoice.id });
}

export function priceOf(world: World, session: CheckoutSession): Price {
  const [item] = getObject(world, 'order', session.id).items;
  return getObject(world, 'price', item?.price ?? '');
}
