import { type CardDecline, cardError } from '../errors.ts';
import type { Charge, Invoice, InvoicePayment, PaymentIntent, PaymentMethod } from '../objects.ts';
import { emit } from '../webhooks/events.ts';
import { getObject, make, newId, openPage, type World } from '../world.ts';
import { declineOf } from './cards.ts';
import { expectAftermath } from './reversals.ts';

// An invoice has one payment here, so the payment's id follows from the invoice's.
export const paymentIdOf = (invoiceId: string): string => invoiceId.replace(/^in_/, 'inpay_');

/** Tries once to charge the invoice to this card, and returns why that was declined. Every try is a charge. */
export function chargeInvoice(world: World, invoice: Invoice, method: PaymentMethod): CardDecline | null {
  const begun = world.store.find('invoice_payment', paymentIdOf(invoice.id));
  const intent = begun?.payment.payment_intent ?? newId('pi');
  const { customer, amount_remaining: amount } = invoice;
  const { decline } = chargeCard(world, method, { customer, amount, payment_intent: intent });
  payInvoiceWith(world, invoice, { intent, status: decline === null ? 'paid' : 'open' });
  return decline;
}

export function payInvoiceWith(
  world: World,
  invoice: Invoice,
  { intent, status }: { intent: string; status: InvoicePayment['status'] },
): void {
  make(world, 'invoice_payment', {
    id: paymentIdOf(invoice.id),
    invoice: invoice.id,
    payment: { payment_intent: intent, type: 'payment_intent' },
    status,
  });
}

function chargeCard(
  world: World,
  method: PaymentMethod,
  order: Pick<Charge, 'customer' | 'amount' | 'payment_intent'>,
): { charge: Charge; decline: CardDecline | null } {
  const decline = declineOf(method);
  const charge = make(world, 'charge', { ...order, paid: decline === null, payment_method: method.id });
  if (decline === null) expectAftermath(world, { kind: 'dispute', charge, target: charge.id });
  return { charge, decline };
}

/** Charges the card once, for a payment outside subscriptions. A decline is an error, and then nothing has happened. */
export function payOnce(world: World, order: Partial<PaymentIntent>): PaymentIntent {
  const { intent, decline } = chargeIntent(world, make(world, 'payment_intent', order));
  if (decline !== null) throw cardError(decline);
  return intent;
}

/** Charges the card of a payment. After a decline, the payment has no card and cannot be charged again. */
export function chargeIntent(
  world: World,
  before: PaymentIntent,
): { intent: PaymentIntent; decline: CardDecline | null } {
  const { id, customer, amount } = before;
  const method = getObject(world, 'payment_method', before.payment_method ?? '');
  const { charge, decline } = chargeCard(world, method, { customer, amount, payment_intent: id });
  const outcome: Partial<PaymentIntent> =
    decline === null
      ? { amount_received: amount, status: 'succeeded' }
      : {
          last_payment_error: { code: decline.code },
          payment_method: null,
          status: 'requires_payment_method',
        };
  const intent = world.store.put('payment_intent', { ...before, latest_charge: charge.id, ...outcome });
  if (decline !== null) return { intent, decline };
  world.store.put('charge', { ...charge, receipt_url: openPage(world, 'receipt', charge.id) });
  emit(world, 'payment_intent.succeeded', intent);
  return { intent, decline };
}
