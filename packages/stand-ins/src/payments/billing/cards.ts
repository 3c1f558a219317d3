import { createHash } from 'node:crypto';
import { cardError, invalidRequest, missingResource } from '../errors.ts';
import { newId } from '../ids.ts';
import type { CardDecline } from '../store/tables.ts';
import type { Customer, PaymentMethod, Subscription } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import type { TestCard } from './test-cards.ts';

export interface CardDetails {
  card: TestCard;
  expMonth: number;
  expYear: number;
}

/** Saves a card with its customer. Some cards are declined already then. */
export function saveCard(
  world: World,
  customer: Customer,
  { card, expMonth, expYear }: CardDetails,
): PaymentMethod {
  const { onSetup, onCharge, afterwards } = card;
  if (onSetup !== null) throw cardError(onSetup);
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    card: {
      brand: card.brand,
      exp_month: expMonth,
      exp_year: expYear,
      fingerprint: createHash('sha256').update(card.number).digest('base64url').slice(0, 16),
      last4: card.number.slice(-4),
    },
    customer: customer.id,
  };
  world.store.put('payment_method', method);
  world.store.put('card', { id: method.id, onSetup, onCharge, ...(afterwards && { afterwards }) });
  return method;
}

export function setDefaultCard(world: World, customer: Customer, methodId: string): Customer {
  const updated: Customer = { ...customer, invoice_settings: { default_payment_method: methodId } };
  world.store.put('customer', updated);
  return updated;
}

/** The card of this customer; throws the API's refusal for another customer's card. */
export function getCardOf(world: World, customer: string, methodId: string, param: string): PaymentMethod {
  const method = world.store.find('payment_method', methodId);
  if (method === undefined) throw missingResource('PaymentMethod', methodId, param);
  if (method.customer !== customer) {
    throw invalidRequest(
      `The customer does not have a payment method with the ID ${methodId}. The payment method must be attached to the customer.`,
      { param },
    );
  }
  return method;
}

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

export const declineOf = (world: World, methodId: string): CardDecline | null =>
  getObject(world, 'card', methodId).onCharge;
