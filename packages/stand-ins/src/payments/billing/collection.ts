import { type CardDecline, cardError, type PaymentsError } from '../errors.ts';
import type { Invoice, Subscription } from '../objects.ts';
import { emit } from '../webhooks/events.ts';
import { getObject, type World } from '../world.ts';
import { cardToCharge, getCardOf } from './cards.ts';
import { chargeInvoice } from './charges.ts';
import { applyBalance, finalizeInvoice } from './invoices.ts';
import { endSubscription, isEnded, updateSubscription } from './subscription-state.ts';

const daySeconds = 24 * 60 * 60;
/** Days from each failed attempt to the next, as a new account has them. After the last one the subscription ends. */
const retryAfterDays = [3, 5, 7];

/** The error is why it was not paid. */
export type Collected = { invoice: Invoice; error?: PaymentsError };

/** Finalizes a draft, applies the customer's balance and, unless nothing is left to pay, charges it. */
export const finalizeAndCollect = (world: World, draft: Invoice): Collected =>
  collect(world, applyBalance(world, finalizeInvoice(world, draft)));

/** One attempt to be paid, with the given card or else the one on file. */
export function collect(world: World, invoice: Invoice, cardId?: string): Collected {
  if (invoice.amount_remaining === 0) return { invoice: markPaid(world, invoice) };

  // A plan that costs something is never begun without a card.
  const card = cardId ?? cardToCharge(world, subscriptionBilled(world, invoice)) ?? '';
  const decline = chargeInvoice(world, invoice, getCardOf(world, invoice.customer, card));
  return decline === null ? { invoice: markPaid(world, invoice) } : failed(world, invoice, decline);
}

/** Only invoices of subscriptions are collected; others are paid before they are written. */
const subscriptionBilled = (world: World, { parent }: Invoice): Subscription =>
  getObject(world, 'subscription', parent?.subscription_details.subscription ?? '');

export function markPaid(world: World, open: Invoice): Invoice {
  const paid: Invoice = world.store.put('invoice', {
    ...open,
    amount_paid: open.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...open.status_transitions, paid_at: world.clock.seconds() },
  });
  emit(world, 'invoice.paid', paid);
  if (paid.parent === null) return paid;
  const subscription = subscriptionBilled(world, paid);
  // Paying an older debt does not settle the newest one.
  if (!isEnded(subscription) && subscription.latest_invoice === paid.id) {
    updateSubscription(world, subscription.id, { status: 'active' });
  }
  return paid;
}

function failed(world: World, invoice: Invoice, decline: CardDecline): Collected {
  const subscription = subscriptionBilled(world, invoice);
  const attempts = invoice.attempt_count + 1;
  const waitDays = isEnded(subscription) ? undefined : retryAfterDays[attempts - 1];
  const unpaid: Invoice = world.store.put('invoice', {
    ...invoice,
    attempt_count: attempts,
    next_payment_attempt: waitDays === undefined ? null : world.clock.seconds() + waitDays * daySeconds,
  });
  emit(world, 'invoice.payment_failed', unpaid);
  if (waitDays !== undefined) updateSubscription(world, subscription.id, { status: 'past_due' });
  else if (!isEnded(subscription)) endSubscription(world, subscription.id);
  return { invoice: unpaid, error: cardError(decline) };
}
