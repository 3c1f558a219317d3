import type { Seconds } from '../clock.ts';
import type { Invoice, Subscription } from '../objects.ts';
import type { Kind, Tables } from '../store/tables.ts';
import type { World } from '../world.ts';
import { collect, finalizeAndCollect } from './collection.ts';
import { draftMonth } from './invoices.ts';
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

/** Something that happens to an object by itself. */
export interface Due {
  at: Seconds;
  run(): void;
}

/** What falls due first, if anything does. */
export function nextDue(world: World): Due | undefined {
  let next: Due | undefined;
  const consider = <K extends Kind>(
    kind: K,
    dueAt: (value: Tables[K]) => Seconds | null,
    run: (world: World, value: Tables[K]) => void,
  ) => {
    for (const value of world.store.all(kind)) {
      const at = dueAt(value);
      if (at !== null && (next === undefined || at < next.at)) next = { at, run: () => run(world, value) };
    }
  };
  consider('subscription', subscriptionDueAt, runSubscription);
  consider('invoice', invoiceDueAt, runInvoice);
  consider('aftermath', ({ dueAt }) => dueAt, runAftermath);
  consider(
    'checkout.session',
    ({ status, expires_at }) => (status === 'open' ? expires_at : null),
    ({ store }, session) => store.put('checkout.session', { ...session, status: 'expired', url: null }),
  );
  return next;
}

function subscriptionDueAt(subscription: Subscription): Seconds | null {
  if (isEnded(subscription)) return null;
  const { end } = periodOf(subscription);
  return Math.min(end, subscription.cancel_at ?? end);
}

function invoiceDueAt(invoice: Invoice): Seconds | null {
  if (invoice.status === 'draft') return invoice.automatically_finalizes_at;
  return invoice.status === 'open' ? invoice.next_payment_attempt : null;
}

function runSubscription(world: World, subscription: Subscription): void {
  const { id, customer, cancel_at, billing_cycle_anchor } = subscription;
  const now = world.clock.seconds();
  if (cancel_at !== null && cancel_at <= now) {
    endSubscription(world, id);
    return;
  }
  const price = priceOfNewPhase(world, subscription) ?? itemOf(subscription).price;
  const item = withPeriod(
    { ...itemOf(subscription), price },
    monthFrom(periodOf(subscription).end, billing_cycle_anchor),
  );
  const { id: latest_invoice } = draftMonth(world, item, {
    customer,
    billing_reason: 'subscription_cycle',
    automatically_finalizes_at: now + draftSeconds,
  });
  updateSubscription(world, id, { items: withItem(item), latest_invoice });
}

function runInvoice(world: World, invoice: Invoice): void {
  if (invoice.status === 'draft') finalizeAndCollect(world, invoice);
  else collect(world, invoice);
}
