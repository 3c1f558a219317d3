import { newId } from '../ids.ts';
import type { CardDecline } from '../store/tables.ts';
import { emit } from '../webhooks/events.ts';
import type { Charge, Invoice, InvoicePayment, PaymentIntent, PaymentMethod } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { expectAftermath } from './aftermath.ts';
import { declineOf } from './payment-methods.ts';

export type ChargeResult = { paid: true } | { paid: false; decline: CardDecline; intent: PaymentIntent };

// An invoice has one payment here, so its id can be told from the invoice's.
export const paymentIdOf = (invoice: Invoice): string => invoice.id.replace(/^in_/, 'inpay_');

/** Tries once to take what the invoice still asks from this card. Every try is a charge of its own. */
export function chargeInvoice(world: World, invoice: Invoice, method: PaymentMethod): ChargeResult {
  const intent = findIntent(world, invoice) ?? openIntent(world, invoice);
  const decline = declineOf(world, method.id);
  const charge = buildCharge(world, { invoice, intent, method, decline });
  world.store.put('charge', charge);
  emit(world, decline === null ? 'charge.succeeded' : 'charge.failed', charge);
  return decline === null
    ? settleIntent(world, invoice, intent, charge)
    : failIntent(world, intent, charge, decline);
}

function findIntent(world: World, invoice: Invoice): PaymentIntent | undefined {
  const payment = world.store.find('invoice_payment', paymentIdOf(invoice));
  return payment && getObject(world, 'payment_intent', payment.payment.payment_intent ?? '');
}

/** An invoice that will not be paid any more takes its payment with it. */
export function cancelIntent(world: World, invoice: Invoice): void {
  const before = findIntent(world, invoice);
  if (before === undefined || before.status === 'succeeded') return;
  const after: PaymentIntent = {
    ...before,
    canceled_at: world.clock.seconds(),
    cancellation_reason: 'void_invoice',
    status: 'canceled',
  };
  world.store.put('payment_intent', after);
  emit(world, 'payment_intent.canceled', after);
  const payment = getObject(world, 'invoice_payment', paymentIdOf(invoice));
  world.store.put('invoice_payment', {
    ...payment,
    status: 'canceled',
    status_transitions: { ...payment.status_transitions, canceled_at: world.clock.seconds() },
  });
}

function settleIntent(world: World, invoice: Invoice, before: PaymentIntent, charge: Charge): ChargeResult {
  const intent: PaymentIntent = {
    ...before,
    amount_received: before.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: charge.payment_method,
    status: 'succeeded',
  };
  world.store.put('payment_intent', intent);
  emit(world, 'payment_intent.succeeded', intent);
  expectAftermath(world, { kind: 'dispute', charge, target: charge.id });

  const payment = getObject(world, 'invoice_payment', paymentIdOf(invoice));
  const paid: InvoicePayment = {
    ...payment,
    amount_paid: intent.amount,
    status: 'paid',
    status_transitions: { ...payment.status_transitions, paid_at: world.clock.seconds() },
  };
  world.store.put('invoice_payment', paid);
  emit(world, 'invoice_payment.paid', paid);
  return { paid: true };
}

function failIntent(world: World, before: PaymentIntent, charge: Charge, decline: CardDecline): ChargeResult {
  const intent: PaymentIntent = {
    ...before,
    last_payment_error: {
      charge: charge.id,
      code: decline.code,
      ...(decline.declineCode ? { decline_code: decline.declineCode } : {}),
      message: decline.message,
      type: 'card_error',
    },
    latest_charge: charge.id,
    payment_method: null,
    status: 'requires_payment_method',
  };
  world.store.put('payment_intent', intent);
  emit(world, 'payment_intent.payment_failed', intent);
  return { paid: false, decline, intent };
}

function openIntent(world: World, invoice: Invoice): PaymentIntent {
  const id = newId('pi');
  const now = world.clock.seconds();
  const intent: PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: invoice.amount_due,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_${newId('x').slice(2)}`,
    confirmation_method: 'automatic',
    created: now,
    currency: invoice.currency,
    customer: invoice.customer,
    customer_account: null,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: 'off_session',
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_confirmation',
    transfer_data: null,
    transfer_group: null,
  };
  world.store.put('payment_intent', intent);
  world.store.put('invoice_payment', {
    id: paymentIdOf(invoice),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: id, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
  emit(world, 'payment_intent.created', intent);
  return intent;
}

function buildCharge(
  world: World,
  {
    invoice,
    intent,
    method,
    decline,
  }: { invoice: Invoice; intent: PaymentIntent; method: PaymentMethod; decline: CardDecline | null },
): Charge {
  const isPaid = decline === null;
  const { card } = method;
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: isPaid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: world.businessName.toUpperCase(),
    captured: isPaid,
    created: world.clock.seconds(),
    currency: intent.currency,
    customer: invoice.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: isPaid ? null : 'try_again_later',
      network_advice_code: null,
      network_decline_code: null,
      network_status: isPaid ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.declineCode ?? null,
      risk_level: 'normal',
      seller_message: isPaid
        ? 'Payment complete.'
        : 'The bank did not return any further details with this decline.',
      type: isPaid ? 'authorized' : 'issuer_declined',
    },
    paid: isPaid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: card
      ? {
          card: {
            amount_authorized: isPaid ? intent.amount : null,
            authorization_code: null,
            brand: card.brand,
            checks: card.checks,
            country: card.country,
            electronic_commerce_indicator: null,
            exp_month: card.exp_month,
            exp_year: card.exp_year,
            funding: card.funding,
            installments: null,
            last4: card.last4,
            mandate: null,
            network: card.brand,
            network_transaction_id: null,
            regulated_status: card.regulated_status,
            three_d_secure: null,
            transaction_link_id: null,
            wallet: null,
          },
          type: 'card',
        }
      : null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
}
