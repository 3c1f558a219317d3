import { type CardDecline, cardError, invalidRequest, missingResource } from '../errors.ts';
import type { Customer, PaymentMethod, Subscription } from '../objects.ts';
import { getCustomer, make, type World } from '../world.ts';
import { findTestCardBy, fingerprintOf, type TestCard } from './test-cards.ts';

export interface CardDetails {
  card: TestCard;
  expMonth: number;
  expYear: number;
}

/** Saves a card with its customer. Some cards are declined already then. The card's number itself is never kept. */
export function saveCard(world: World, customer: Customer, details: CardDetails): PaymentMethod {
  const { card, expMonth, expYear } = details;
  if (card.onSetup) throw cardError(card.onSetup);
  return make(world, 'payment_method', {
    card: {
      brand: 'visa',
      exp_month: expMonth,
      exp_year: expYear,
      fingerprint: fingerprintOf(card),
      last4: card.number.slice(-4),
    },
    customer: customer.id,
  });
}

export function setDefaultCard(world: World, customer: Customer, methodId: string): Customer {
  return world.store.put('customer', {
    ...customer,
    invoice_settings: { default_payment_method: methodId },
  });
}

/** The card of this customer; throws the API's refusal for another customer's card. */
export function getCardOf(world: World, customer: string, methodId: string): PaymentMethod {
  const method = world.store.find('payment_method', methodId);
  if (method === undefined) throw missingResource('PaymentMethod', methodId, 'payment_method');
  if (method.customer === customer) return method;
  throw invalidRequest(`The customer does not have a payment method with the ID ${methodId}.`);
}

/** Newest first. */
export function cardsOf(world: World, customer: string): PaymentMethod[] {
  return world.store
    .all('payment_method')
    .filter((method) => method.customer === customer)
    .reverse();
}

/** What an invoice of this subscription is charged to: its own card, else the customer's. */
export function cardToCharge(world: World, subscription: Subscription): string | null {
  const customer = getCustomer(world, subscription.customer);
  return subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
}

export const declineOf = ({ card }: PaymentMethod): CardDecline | null =>
  findTestCardBy(card.fingerprint)?.onCharge ?? null;
