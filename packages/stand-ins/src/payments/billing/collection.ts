import { cardError, invalidRequest, type PaymentsError } from '../errors.ts';
import type { CardDecline } from '../store/tables.ts';
import { emit } from '../webhooks/events.ts';
import type { Invoice, Subscription } from '../wire.ts';
import { getCustomer, getObject, type World } from '../world.ts';
import { cancelIntent, chargeInvoice } from './charges.ts';
import { finalizeInvoice, subscriptionOf } from './invoices.ts';
import { itemsOf, listOfItems } from './items.ts';
import { cardToCharge, getCardOf } from './payment-methods.ts';
import { endSubscription, isEnded, updateSubscription } from './subscription-state.ts';

const daySeconds = 24 * 60 * 60;

export type Collected =
  | { paid: true; invoice: Invoice }
  | { paid: false; invoice: Invoice; error: PaymentsError };

/** Finalizes a draft and, unless it asks for nothing, charges it. */
export function finalizeAndCollect(world: World, draft: Invoice): Collected {
  return collect(world, finalizeInvoice(world, draft));
}

/** One attempt to be paid, with the given card or else the one on file. */
export function collect(world: World, invoice: Invoice, cardId?: string): Collected {
  if (invoice.amount_remaining === 0) return { paid: true, invoice: markPaid(world, invoice) };

  const card = cardId ?? cardOnFile(world, invoice);
  if (card === null) return failed(world, invoice, noCard);
  const method = getCardOf(world, invoice.customer ?? '', card, 'payment_method');
  const result = chargeInvoice(world, invoice, method);
  return result.paid
    ? { paid: true, invoice: markPaid(world, getObject(world, 'invoice', invoice.id)) }
    : failed(world, invoice, result.decline);
}

const noCard: CardDecline = {
  code: 'card_declined',
  declineCode: 'no_payment_method',
  message: 'There is no payment method to charge.',
};

export function voidInvoice(world: World, before: Invoice): Invoice {
  if (before.status !== 'open' && before.status !== 'uncollectible') {
    throw invalidRequest(`You can only void open or uncollectible invoices; this one is ${before.status}.`);
  }
  cancelIntent(world, before);
  const after: Invoice = {
    ...before,
    next_payment_attempt: null,
    status: 'void',
    status_transitions: { ...before.status_transitions, voided_at: world.clock.seconds() },
  };
  world.store.put('invoice', after);
  emit(world, 'invoice.voided', after);
  return after;
}

function cardOnFile(world: World, invoice: Invoice): string | null {
  const subscription = subscriptionOf(invoice);
  if (invoice.default_payment_method !== null) return invoice.default_payment_method;
  if (subscription !== null) return cardToCharge(world, getObject(world, 'subscription', subscription));
  return getCustomer(world, invoice.customer ?? '').invoice_settings.default_payment_method;
}

function markPaid(world: World, open: Invoice): Invoice {
  const paid: Invoice = {
    ...open,
    amount_paid: open.amount_due,
    amount_remaining: 0,
    attempt_count: open.amount_due === 0 ? 0 : open.attempt_count + 1,
    attempted: true,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...open.status_transitions, paid_at: world.clock.seconds() },
  };
  world.store.put('invoice', paid);
  emit(world, 'invoice.paid', paid);
  emit(world, 'invoice.payment_succeeded', paid);
  setDelinquent(world, paid, false);
  subscriptionIsPaid(world, paid);
  return paid;
}

function subscriptionIsPaid(world: World, invoice: Invoice): void {
  const id = subscriptionOf(invoice);
  if (id === null) return;
  const subscription = getObject(world, 'subscription', id);
  // Paying an older debt does not settle the newest one.
  if (isEnded(subscription) || subscription.latest_invoice !== invoice.id) return;
  if (subscription.pending_update !== null) applyPendingUpdate(world, subscription);
  else updateSubscription(world, id, { status: 'active' });
}

function applyPendingUpdate(world: World, subscription: Subscription): void {
  const update = subscription.pending_update;
  const updated = updateSubscription(world, subscription.id, {
    billing_cycle_anchor: update?.billing_cycle_anchor ?? subscription.billing_cycle_anchor,
    items: listOfItems(subscription.id, update?.subscription_items ?? itemsOf(subscription)),
    pending_update: null,
  });
  emit(world, 'customer.subscription.pending_update_applied', updated);
}

function failed(world: World, invoice: Invoice, decline: CardDecline): Collected {
  const subscriptionId = subscriptionOf(invoice);
  const subscription = subscriptionId === null ? undefined : getObject(world, 'subscription', subscriptionId);
  const attempts = invoice.attempt_count + 1;
  const isRetried = isRetriedFor(invoice, subscription);
  const waitDays = isRetried ? world.retryPolicy.afterDays[attempts - 1] : undefined;
  const unpaid: Invoice = {
    ...getObject(world, 'invoice', invoice.id),
    attempt_count: attempts,
    attempted: true,
    next_payment_attempt: waitDays === undefined ? null : world.clock.seconds() + waitDays * daySeconds,
  };
  world.store.put('invoice', unpaid);
  emit(world, 'invoice.payment_failed', unpaid);
  setDelinquent(world, unpaid, true);
  if (subscription !== undefined && isRetried) {
    if (waitDays !== undefined) updateSubscription(world, subscription.id, { status: 'past_due' });
    else lastAttemptFailed(world, subscription);
  }
  return { paid: false, invoice: unpaid, error: cardError(decline) };
}

/**
 * A first payment is not repeated: its subscription is incomplete and expires. Nor is that of an update which only
 * takes effect when paid, whose invoice does not advance by itself. The others follow the retry policy.
 */
const isRetriedFor = (invoice: Invoice, subscription: Subscription | undefined): boolean =>
  invoice.auto_advance === true &&
  subscription !== undefined &&
  !isEnded(subscription) &&
  subscription.status !== 'incomplete';

function lastAttemptFailed(world: World, subscription: Subscription): void {
  const { finally: outcome } = world.retryPolicy;
  if (outcome === 'cancel') endSubscription(world, subscription.id, { reason: 'payment_failed' });
  else updateSubscription(world, subscription.id, { status: outcome });
}

function setDelinquent(world: World, invoice: Invoice, delinquent: boolean): void {
  const before = getCustomer(world, invoice.customer ?? '');
  if (before.delinquent === delinquent) return;
  const after = { ...before, delinquent };
  world.store.put('customer', after);
  emit(world, 'customer.updated', after, before);
}
