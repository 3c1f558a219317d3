import type { DueRow } from '../store/store.ts';
import type { Kind, Tables } from '../store/tables.ts';
import { emit } from '../webhooks/events.ts';
import type { Invoice, Subscription } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { expireCheckout } from './checkout.ts';
import { collect, finalizeAndCollect, voidInvoice } from './collection.ts';
import { openDispute } from './disputes.ts';
import { draftInvoice } from './invoices.ts';
import { itemsOf, listOfItems, periodFrom, periodOf, withPeriod } from './items.ts';
import { failRefund } from './refunds.ts';
import { itemsOfNewPhase } from './schedules.ts';
import { endSubscription, isEnded, updateSubscription } from './subscription-state.ts';

const incompleteSeconds = 23 * 60 * 60;
// The real service leaves a renewal's invoice a draft for about an hour, in which it may still be changed.
const draftSeconds = 60 * 60;

/** When something has to happen to an object by itself, if ever. */
export function dueRule(kind: Kind, value: Tables[Kind]): number | undefined {
  if (kind === 'subscription') return subscriptionDueAt(value as Subscription);
  if (kind === 'invoice') return invoiceDueAt(value as Invoice);
  if (kind === 'aftermath') return (value as Tables['aftermath']).dueAt;
  if (kind === 'delivery') return (value as Tables['delivery']).nextAttemptAt;
  if (kind === 'checkout.session') {
    const session = value as Tables['checkout.session'];
    return session.status === 'open' ? session.expires_at : undefined;
  }
  return undefined;
}

function subscriptionDueAt(subscription: Subscription): number | undefined {
  if (isEnded(subscription)) return undefined;
  if (subscription.status === 'incomplete') return subscription.created + incompleteSeconds;
  const moments = [
    periodOf(subscription).end,
    subscription.cancel_at,
    subscription.pending_update?.expires_at,
  ];
  return Math.min(...moments.filter((moment) => typeof moment === 'number'));
}

function invoiceDueAt(invoice: Invoice): number | undefined {
  if (invoice.status === 'draft') return invoice.automatically_finalizes_at ?? undefined;
  return invoice.status === 'open' ? (invoice.next_payment_attempt ?? undefined) : undefined;
}

export function runDue(world: World, { kind, id }: DueRow): void {
  if (kind === 'subscription') runSubscription(world, getObject(world, 'subscription', id));
  else if (kind === 'invoice') runInvoice(world, getObject(world, 'invoice', id));
  else if (kind === 'aftermath') runAftermath(world, getObject(world, 'aftermath', id));
  else if (kind === 'checkout.session') expireCheckout(world, getObject(world, 'checkout.session', id));
}

function runAftermath(world: World, { id, kind }: Tables['aftermath']): void {
  world.store.remove('aftermath', id);
  if (kind === 'dispute') openDispute(world, getObject(world, 'charge', id));
  else failRefund(world, getObject(world, 'refund', id));
}

function runSubscription(world: World, subscription: Subscription): void {
  const now = world.clock.seconds();
  if (subscription.status === 'incomplete') expireIncomplete(world, subscription);
  else if (subscription.cancel_at !== null && subscription.cancel_at <= now) {
    endSubscription(world, subscription.id, { reason: 'cancellation_requested' });
  } else if (subscription.pending_update !== null && subscription.pending_update.expires_at <= now) {
    expirePendingUpdate(world, subscription);
  } else renew(world, subscription);
}

function renew(world: World, subscription: Subscription): void {
  const ended = periodOf(subscription);
  const scheduled = itemsOfNewPhase(world, subscription);
  if (scheduled === 'cancel') {
    endSubscription(world, subscription.id, { reason: 'cancellation_requested' });
    return;
  }
  const renewing = scheduled ?? itemsOf(subscription);
  const prices = renewing.map(({ price }) => price);
  const period = periodFrom(ended.end, subscription.billing_cycle_anchor, prices);
  const items = renewing.map((item) => withPeriod(item, period));
  const current = getObject(world, 'subscription', subscription.id);
  // An unpaid subscription still has its invoices written, but nobody is charged for them by themselves.
  const isCollected = current.status !== 'unpaid';
  const invoice = draftInvoice(world, {
    subscription: current,
    items,
    reason: 'subscription_cycle',
    period: ended,
    finalizesAt: isCollected ? world.clock.seconds() + draftSeconds : null,
  });
  updateSubscription(world, subscription.id, {
    items: listOfItems(subscription.id, items),
    latest_invoice: invoice.id,
  });
}

function runInvoice(world: World, invoice: Invoice): void {
  if (invoice.status === 'draft') finalizeAndCollect(world, invoice);
  else collect(world, invoice);
}

function expireIncomplete(world: World, subscription: Subscription): void {
  voidLatestInvoice(world, subscription);
  const now = world.clock.seconds();
  updateSubscription(world, subscription.id, {
    canceled_at: now,
    ended_at: now,
    status: 'incomplete_expired',
  });
}

function expirePendingUpdate(world: World, subscription: Subscription): void {
  voidLatestInvoice(world, subscription);
  const updated = updateSubscription(world, subscription.id, { pending_update: null });
  emit(world, 'customer.subscription.pending_update_expired', updated);
}

function voidLatestInvoice(world: World, subscription: Subscription): void {
  const invoice = getObject(world, 'invoice', subscription.latest_invoice ?? '');
  // A renewal that came in between is owed all the same.
  if (invoice.status === 'open' && invoice.billing_reason !== 'subscription_cycle')
    voidInvoice(world, invoice);
}
