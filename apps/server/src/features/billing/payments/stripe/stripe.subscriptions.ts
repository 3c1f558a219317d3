import { FREE_PLAN } from '@assay/contract';
import type Stripe from 'stripe';
import type { PaymentsGateway, PlannedChange, RemoteSubscription } from '../payments-gateway.ts';
import { dateOf, idOf, reach, unlessGone } from './stripe.connection.ts';
import type { InvoiceReader } from './stripe.invoices.ts';
import { findPrice, type PriceReader } from './stripe.prices.ts';

type Subscriptions = Pick<
  PaymentsGateway,
  'createFreeSubscription' | 'findSubscriptions' | 'endSubscription' | 'keepPlan'
>;

interface Readers {
  readonly planOfPrice: PriceReader;
  readonly invoiceOf: InvoiceReader;
}

export function subscriptionsOf(stripe: Stripe, { planOfPrice, invoiceOf }: Readers): Subscriptions {
  const subscriptionOf = async (
    subscription: Stripe.Subscription,
  ): Promise<RemoteSubscription | undefined> => {
    const [item] = subscription.items.data;
    const plan = item && (await planOfPrice(item.price));
    // A subscription to another product in the same Stripe account.
    if (!item || !plan) return undefined;
    const latest = subscription.latest_invoice;
    return {
      id: subscription.id,
      state: stateOf(subscription.status),
      plan,
      createdAt: new Date(subscription.created * 1_000),
      anchoredAt: new Date(subscription.billing_cycle_anchor * 1_000),
      periodStart: new Date(item.current_period_start * 1_000),
      periodEnd: new Date(item.current_period_end * 1_000),
      endedAt: dateOf(subscription.ended_at),
      latestInvoice: latest && typeof latest === 'object' ? await invoiceOf(latest) : null,
      pendingChange: await pendingChangeOf(subscription, planOfPrice),
    };
  };

  return {
    createFreeSubscription: async ({ customerId, setupKey }) => {
      const price = await findPrice(stripe, FREE_PLAN);
      await reach(() =>
        stripe.subscriptions.create(
          { customer: customerId, items: [{ price }] },
          { idempotencyKey: `assay-free-${setupKey}` },
        ),
      );
    },
    findSubscriptions: async (customerId) => {
      const found = await reach(() =>
        stripe.subscriptions
          .list({
            customer: customerId,
            status: 'all',
            limit: 100,
            expand: ['data.latest_invoice', 'data.schedule'],
          })
          .autoPagingToArray({ limit: 1_000 }),
      );
      const ours = await Promise.all(found.map(subscriptionOf));
      return ours.filter((subscription) => subscription !== undefined);
    },
    endSubscription: (subscriptionId) => unlessGone(() => stripe.subscriptions.cancel(subscriptionId)),
    keepPlan: async (subscriptionId) => {
      const subscription = await reach(() => stripe.subscriptions.retrieve(subscriptionId));
      const schedule = idOf(subscription.schedule);
      // Release the schedule first: Stripe refuses to change a cancellation while a schedule is attached.
      if (schedule) await reach(() => stripe.subscriptionSchedules.release(schedule));
      // The portal cancels by a date and the API by a flag. Each has its own field to clear.
      const isFlagged = subscription.cancel_at_period_end;
      if (!isFlagged && subscription.cancel_at === null) return;
      const clearing = isFlagged ? { cancel_at_period_end: false } : { cancel_at: '' as const };
      await reach(() => stripe.subscriptions.update(subscriptionId, clearing));
    },
  };
}

function stateOf(status: Stripe.Subscription.Status): RemoteSubscription['state'] {
  if (status === 'active' || status === 'trialing') return 'active';
  if (status === 'past_due' || status === 'unpaid' || status === 'paused') return 'overdue';
  return status === 'incomplete' ? 'pending' : 'ended';
}

/** The next planned change of the subscription: its end, or another plan. */
async function pendingChangeOf(
  { cancel_at, cancel_at_period_end, schedule, items }: Stripe.Subscription,
  planOfPrice: PriceReader,
): Promise<PlannedChange | null> {
  const [item] = items.data;
  const endsAt = dateOf(cancel_at ?? (cancel_at_period_end ? item?.current_period_end : null));
  const end: PlannedChange | null = endsAt && { kind: 'cancellation', plan: FREE_PLAN, at: endsAt };
  if (!item || !schedule || typeof schedule !== 'object' || schedule.status !== 'active') return end;

  const presentEnd = schedule.current_phase?.end_date ?? item.current_period_end;
  for (const phase of schedule.phases.filter(({ start_date }) => start_date >= presentEnd)) {
    const price = phase.items[0]?.price;
    const isOther = price && idOf(price) !== item.price.id;
    const plan = isOther ? await planOfPrice(idOf(price) ?? '') : undefined;
    if (!plan) continue;
    const at = new Date(phase.start_date * 1_000);
    return end && end.at <= at ? end : { kind: 'plan_change', plan, at };
  }
  return end;
}
