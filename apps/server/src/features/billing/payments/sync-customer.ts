import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { recordActivity } from '../../activity/index.ts';
import { topUpFreeCredits } from '../free-renewal.ts';
import { refreshBilling } from '../refresh-billing.ts';
import { renewalAfter } from '../renewal-date.ts';
import { decidePlan, findSurplus, type PlanDecision, type PlanState } from './decide-plan.ts';
import {
  drawTicket,
  forgetCustomer,
  insertEvent,
  lockAccount,
  type PaymentAccount,
  setFreeCreditsAt,
  setPlan,
} from './payments.store.ts';
import type {
  PaymentsGateway,
  RemoteInvoice,
  RemotePayment,
  RemoteSubscription,
  ReversedCharge,
} from './payments-gateway.ts';
import { applyReversals, grantPack, grantPurchase } from './purchases.ts';

export interface SyncParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly gateway: PaymentsGateway;
}

/** What to fetch besides the customer's subscriptions. */
export interface SyncOrder {
  readonly ownerId: string;
  readonly customerId: string;
  readonly invoiceId?: string;
  readonly paymentId?: string;
  readonly chargeId?: string;
  /** Check whether the customer still exists. */
  readonly checksCustomer?: boolean;
  /** Fetch invoices and packs that were paid since this date, in case their events were lost. */
  readonly paidSince?: Date;
  /** Recorded together with its effects. An event that was recorded before has no effects. */
  readonly event?: { readonly id: string; readonly type: string };
}

interface RemoteView {
  readonly isCustomer: boolean;
  readonly subscriptions: readonly RemoteSubscription[];
  readonly invoices: readonly RemoteInvoice[];
  readonly payments: readonly RemotePayment[];
  readonly charge: ReversedCharge | null;
}

/**
 * Fetches the customer's current state from the provider and applies it to plan and credits. Events may arrive in any
 * order, because only the current state counts, and each paid invoice and refund counts once.
 * See docs/decisions/billing-fetch-current-state.md.
 */
export async function syncCustomer(parts: SyncParts, order: SyncOrder): Promise<void> {
  const ticket = await drawTicket(parts.db);
  const view = await readRemoteState(parts.gateway, order);
  // Before anything is recorded, so that a failure repeats everything.
  for (const { id } of findSurplus(view.subscriptions)) await parts.gateway.endSubscription(id);
  await parts.db.transaction().execute((tx) => apply(tx, { parts, order, view, ticket }));
}

async function readRemoteState(gateway: PaymentsGateway, order: SyncOrder): Promise<RemoteView> {
  const { customerId, invoiceId, paymentId, chargeId, paidSince } = order;
  const isCustomer = order.checksCustomer ? await gateway.isCustomer(customerId) : true;
  const subscriptions = isCustomer ? await gateway.findSubscriptions(customerId) : [];
  const charge = chargeId === undefined ? null : await gateway.findReversedCharge(chargeId);
  const invoiceIds = [invoiceId, charge?.invoiceId].filter((id) => typeof id === 'string');
  const paymentIds = [paymentId, charge?.paymentId].filter((id) => typeof id === 'string');
  const payments = [
    ...(await Promise.all(paymentIds.map((id) => gateway.findPayment(id)))),
    ...(paidSince ? await gateway.findPayments({ customerId, since: paidSince }) : []),
  ].filter((payment) => payment !== undefined);
  const invoices = [
    ...(await Promise.all(invoiceIds.map((id) => gateway.findInvoice(id)))),
    ...subscriptions.map(({ latestInvoice }) => latestInvoice).filter((invoice) => invoice !== null),
    ...(paidSince ? await gateway.findPaidInvoices({ customerId, since: paidSince }) : []),
  ];
  return { isCustomer, subscriptions, charge, payments, invoices: invoices.toSorted(byPayment) };
}

const byPayment = (a: RemoteInvoice, b: RemoteInvoice): number =>
  (a.paidAt?.getTime() ?? 0) - (b.paidAt?.getTime() ?? 0);

interface Applying {
  readonly parts: SyncParts;
  readonly order: SyncOrder;
  readonly view: RemoteView;
  readonly ticket: number;
}

async function apply(tx: Tx, { parts, order, view, ticket }: Applying): Promise<void> {
  const { ownerId, event } = order;
  const now = parts.clock.now();
  const account = await lockAccount(tx, ownerId);
  if (!account) return;
  if (event && !(await insertEvent(tx, { ...event, now }))) return;

  // A sync that started later has already written a newer state.
  const isNewest = ticket > account.syncedTicket;
  const decision = decidePlan(account, view.subscriptions, now);
  let hasChanged = isNewest && (await applyPlan(tx, { account, decision, ticket, now }));
  if (isNewest && !view.isCustomer) await forgetCustomer(tx, ownerId);
  for (const invoice of view.invoices) {
    const isGranted = await grantPurchase(tx, { ownerId, invoice, now });
    hasChanged ||= isGranted;
  }
  for (const payment of view.payments) {
    if (payment.customerId !== order.customerId) continue;
    const isGranted = await grantPack(tx, { ownerId, payment, now });
    hasChanged ||= isGranted;
  }
  if (view.charge) {
    const isReversed = await applyReversals(tx, { ownerId, charge: view.charge, now });
    hasChanged ||= isReversed;
  }
  if (hasChanged) await refreshBilling(tx, ownerId);
  const { planCode } = decision.after;
  if (isNewest && planCode !== account.planCode) {
    const about = `${account.planCode} to ${planCode}`;
    await recordActivity(tx, { userId: ownerId }, { kind: 'plan.changed', about, now });
  }
}

/** Returns whether the customer sees a change. */
async function applyPlan(
  tx: Tx,
  {
    account,
    decision: { after, becameFreeAt },
    ticket,
    now,
  }: { account: PaymentAccount; decision: PlanDecision; ticket: number; now: Date },
): Promise<boolean> {
  const { ownerId } = account;
  await setPlan(tx, { ownerId, plan: after, ticket });
  if (becameFreeAt && account.hasFreeAllowance && isMonthOld(account.freeCreditsAt, now)) {
    await setFreeCreditsAt(tx, ownerId, now);
    await topUpFreeCredits(tx, { ownerId, month: becameFreeAt, now });
  }
  return !isSamePlan(account, after);
}

const isMonthOld = (date: Date, now: Date): boolean => renewalAfter(date, date) <= now;

/** Whether the customer sees no difference. */
const isSamePlan = (a: PlanState, b: PlanState): boolean =>
  a.planCode === b.planCode &&
  a.nextRenewalAt.getTime() === b.nextRenewalAt.getTime() &&
  (a.pastDueSince === null) === (b.pastDueSince === null) &&
  a.pendingKind === b.pendingKind &&
  a.pendingPlanCode === b.pendingPlanCode &&
  a.pendingAt?.getTime() === b.pendingAt?.getTime();
