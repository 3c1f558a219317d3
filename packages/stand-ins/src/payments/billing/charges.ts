import { cardError } from '../errors.ts';
import { newId, newPageToken } from '../ids.ts';
import type { CardDecline } from '../store/tables.ts';
import { emit } from '../webhooks/events.ts';
import type {
  Charge,
  Customer,
  Invoice,
  InvoicePayment,
  PaymentIntent,
  PaymentMethod,
  Price,
} from '../wire.ts';
import type { World } from '../world.ts';
import { declineOf } from './cards.ts';
import { expectAftermath } from './reversals.ts';

// An invoice has one payment here, so the payment's id follows from the invoice's.
export const paymentIdOf = (invoiceId: string): string => invoiceId.replace(/^in_/, 'inpay_');

/** Tries once to charge the invoice to this card, and returns why that was declined. Every try is a charge. */
export function chargeInvoice(world: World, invoice: Invoice, method: PaymentMethod): CardDecline | null {
  const payment = world.store.find('invoice_payment', paymentIdOf(invoice.id)) ?? openPayment(invoice);
  const { decline } = chargeCard(world, method, {
    customer: invoice.customer,
    amount: invoice.amount_remaining,
    intent: payment.payment.payment_intent,
  });
  world.store.put('invoice_payment', { ...payment, status: decline === null ? 'paid' : 'open' });
  return decline;
}

interface ChargeOrder {
  customer: string;
  amount: number;
  intent: string;
}

function chargeCard(
  world: World,
  method: PaymentMethod,
  { customer, amount, intent }: ChargeOrder,
): { charge: Charge; decline: CardDecline | null } {
  const decline = declineOf(world, method.id);
  const charge: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount,
    amount_refunded: 0,
    created: world.clock.seconds(),
    customer,
    disputed: false,
    paid: decline === null,
    payment_intent: intent,
    payment_method: method.id,
    receipt_url: null,
    refunded: false,
  };
  world.store.put('charge', charge);
  if (decline === null) expectAftermath(world, { kind: 'dispute', charge, target: charge.id });
  return { charge, decline };
}

export interface PaymentOrder {
  customer: Customer;
  price: Pick<Price, 'unit_amount' | 'currency'>;
  metadata: Record<string, string>;
  description?: string | null;
}

/** Charges the card once, for a payment outside subscriptions. A decline is an error, and then nothing has happened. */
export function payOnce(world: World, method: PaymentMethod, order: PaymentOrder): PaymentIntent {
  const { intent, decline } = chargeIntent(world, openIntent(world, method, order), method);
  if (decline !== null) throw cardError(decline);
  return intent;
}

/** A payment outside subscriptions that is not charged yet. */
export function openIntent(
  world: World,
  method: PaymentMethod,
  { customer, price, metadata, description = null }: PaymentOrder,
): PaymentIntent {
  const intent: PaymentIntent = {
    id: newId('pi'),
    object: 'payment_intent',
    amount: price.unit_amount,
    amount_received: 0,
    created: world.clock.seconds(),
    currency: price.currency,
    customer: customer.id,
    description,
    last_payment_error: null,
    latest_charge: null,
    metadata,
    payment_method: method.id,
    status: 'requires_confirmation',
  };
  world.store.put('payment_intent', intent);
  return intent;
}

/** Charges the card of a payment. After a decline, the payment has no card and cannot be charged again. */
export function chargeIntent(
  world: World,
  before: PaymentIntent,
  method: PaymentMethod,
): { intent: PaymentIntent; decline: CardDecline | null } {
  const { id, customer, amount } = before;
  const { charge, decline } = chargeCard(world, method, { customer, amount, intent: id });
  const intent: PaymentIntent = {
    ...before,
    latest_charge: charge.id,
    ...(decline === null
      ? { amount_received: amount, status: 'succeeded' }
      : {
          last_payment_error: { code: decline.code },
          payment_method: null,
          status: 'requires_payment_method',
        }),
  };
  world.store.put('payment_intent', intent);
  if (decline !== null) return { intent, decline };
  const token = newPageToken();
  world.store.put('page', {
    id: token,
    page: 'receipt',
    target: charge.id,
    created: world.clock.seconds(),
    lastUsed: null,
  });
  world.store.put('charge', { ...charge, receipt_url: `${world.publicUrl}/receipt/${token}` });
  emit(world, 'payment_intent.succeeded', intent);
  return { intent, decline };
}

const openPayment = (invoice: Invoice): InvoicePayment => ({
  id: paymentIdOf(invoice.id),
  object: 'invoice_payment',
  invoice: invoice.id,
  payment: { payment_intent: newId('pi'), type: 'payment_intent' },
  status: 'open',
});
