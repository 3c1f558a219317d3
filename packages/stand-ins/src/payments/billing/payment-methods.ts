import { createHash } from 'node:crypto';
import { cardError, invalidRequest, missingResource } from '../errors.ts';
import { newId } from '../ids.ts';
import type { CardDecline } from '../store/tables.ts';
import { emit } from '../webhooks/events.ts';
import type { Customer, PaymentMethod, Subscription } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import type { TestCard } from './test-cards.ts';

export interface CardDetails {
  card: TestCard;
  expMonth: number;
  expYear: number;
  name: string | null;
  email: string | null;
}

/** A payment method that belongs to nobody yet. */
export function createCard(world: World, details: CardDetails): PaymentMethod {
  const { card } = details;
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: details.email, name: details.name, phone: null, tax_id: null },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: details.expMonth,
      exp_year: details.expYear,
      fingerprint: createHash('sha256').update(card.number).digest('hex').slice(0, 16),
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: world.clock.seconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  world.store.put('payment_method', method);
  const { onSetup, onCharge, afterwards } = card;
  world.store.put('card', { id: method.id, onSetup, onCharge, ...(afterwards && { afterwards }) });
  return method;
}

/** A ready-made card by its documented name, such as `pm_card_visa`; every use of the name makes a card of its own. */
export function createNamedCard(world: World, card: TestCard): PaymentMethod {
  const expYear = world.clock.now().getUTCFullYear() + 1;
  return createCard(world, { card, expMonth: 12, expYear, name: null, email: null });
}

/** Some cards are already declined when they are saved. */
export function attachCard(world: World, method: PaymentMethod, customer: Customer): PaymentMethod {
  if (method.customer !== null) {
    throw invalidRequest('The payment method you provided has already been attached to a customer.', {
      param: 'payment_method',
    });
  }
  refuseCard(getObject(world, 'card', method.id).onSetup);
  const attached: PaymentMethod = { ...method, customer: customer.id };
  world.store.put('payment_method', attached);
  emit(world, 'payment_method.attached', attached);
  return attached;
}

export function detachCard(world: World, method: PaymentMethod): PaymentMethod {
  if (method.customer === null) {
    throw invalidRequest(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  }
  const detached: PaymentMethod = { ...method, customer: null };
  world.store.put('payment_method', detached);
  forgetAsDefault(world, method);
  emit(world, 'payment_method.detached', detached, method);
  return detached;
}

function forgetAsDefault(world: World, method: PaymentMethod): void {
  const customer = getCustomer(world, method.customer ?? '');
  if (customer.invoice_settings.default_payment_method === method.id) {
    setDefaultCard(world, customer, null);
  }
  for (const subscription of world.store.all('subscription')) {
    if (subscription.default_payment_method === method.id) {
      world.store.put('subscription', { ...subscription, default_payment_method: null });
    }
  }
}

export function setDefaultCard(world: World, customer: Customer, methodId: string | null): Customer {
  if (customer.invoice_settings.default_payment_method === methodId) return customer;
  const updated: Customer = {
    ...customer,
    invoice_settings: { ...customer.invoice_settings, default_payment_method: methodId },
  };
  world.store.put('customer', updated);
  emit(world, 'customer.updated', updated, customer);
  return updated;
}

/** The card of this customer, or the refusal that the API gives for anybody else's. */
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

function refuseCard(decline: CardDecline | null): void {
  if (decline !== null) throw cardError(decline);
}
