import { newId } from '../ids.ts';
import type { CardDecline } from '../store/tables.ts';
import type { Charge, Invoice, InvoicePayment, PaymentMethod } from '../wire.ts';
import type { World } from '../world.ts';
import { declineOf } from './cards.ts';
import { expectAftermath } from './reversals.ts';

// An invoice has one payment here, so the payment's id follows from the invoice's.
export const paymentIdOf = (invoiceId: string): string => invoiceId.replace(/^in_/, 'inpay_');

/** Tries once to charge the invoice to this card, and returns why that was declined. Every try is a charge. */
export function chargeInvoice(world: World, invoice: Invoice, method: PaymentMethod): CardDecline | null {
  const payment = world.store.find('invoice_payment', paymentIdOf(invoice.id)) ?? openPayment(invoice);
  const decline = declineOf(world, method.id);
  const charge: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount: invoice.amount_remaining,
    amount_refunded: 0,
    customer: invoice.customer,
    disputed: false,
    paid: decline === null,
    payment_intent: payment.payment.payment_intent,
    payment_method: method.id,
    refunded: false,
  };
  world.store.put('charge', charge);
  world.store.put('invoice_payment', { ...payment, status: decline === null ? 'paid' : 'open' });
  if (decline === null) expectAftermath(world, { kind: 'dispute', charge, target: charge.id });
  return decline;
}

const openPayment = (invoice: Invoice): InvoicePayment => ({
  id: paymentIdOf(invoice.id),
  object: 'invoice_payment',
  invoice: invoice.id,
  payment: { payment_intent: newId('pi'), type: 'payment_intent' },
  status: 'open',
});
