import type { DueRow } from '../store/store.ts';
import type { Kind, Tables } from '../store/tables.ts';
import type { Invoice, Subscription } from '../wire.ts';
import { getObject, type World } from '../world.ts';
import { expireCheckout } from './checkout.ts';
import { collect, finalizeAndCollect } from './collection.ts';
import { draftInvoice } from './invoices.ts';
import { monthFrom } from './periods.ts';
import { runAftermath } from './reversals.ts';
import { priceOfNewPhase } from './schedules.ts';
import {
  endSubscription,
  isEnded,
  itemOf,
  periodOf,
  updateSubscription,
  withItem,
  withPeriod,
} from './subscription-state.ts';

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
  const { end } = periodOf(subscription);
  return Math.min(end, subscription.cancel_at ?? end);
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

function runSubscription(world: World, subscription: Subscription): void {
  const isEnding = subscription.cancel_at !== null && subscription.cancel_at <= world.clock.seconds();
  if (isEnding) endSubscription(world, subscription.id);
  else renew(world, subscription);
}

function renew(world: World, subscription: Subscription): void {
  const price = priceOfNewPhase(world, subscription) ?? itemOf(subscription).price;
  const period = monthFrom(periodOf(subscription).end, subscription.billing_cycle_anchor);
  const item = withPeriod({ ...itemOf(subscription), price }, period);
  const invoice = draftInvoice(world, {
    subscription,
    item,
    reason: 'subscription_cycle',
    finalizesAt: world.clock.seconds() + draftSeconds,
  });
  updateSubscription(world, subscription.id, { items: withItem(item), latest_invoice: invoice.id });
}

function runInvoice(world: World, invoice: Invoice): void {
  if (invoice.status === 'draft') finalizeAndCollect(world, invoice);
  else collect(world, invoice);
}
