import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { recordActivity } from '../../activity/index.ts';
import { type PaidPack, recordFailedPayment, recordPack, recordTopUpStop } from '../billing-activity.ts';
import { topUpFreeCredits } from '../free-renewal.ts';
import { refreshBilling } from '../refresh-billing.ts';
import { renewalAfter } from '../renewal-date.ts';
import { decidePlan, findSurplus, type PlanDecision, type PlanState } from './decide-plan.ts';
import {
  drawTicket,
  findPayer,
  findPayerOfCustomer,
  forgetCustomer,
  insertEvent,
  lockPayer,
  type Payer,
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
  readonly ownerId: AccountId;
  readonly customerId: string;
  readonly invoiceId?: string;
  readonly paymentId?: string;
  readonly chargeId?: string;
  /** Check whether the customer still exists. */
  readonly checksCustomer?: boolean;
  /** Fetch what lost events would have told: what was paid since a date, and what was reversed of charges since another. */
  readonly catchUp?: { readonly paidSince: Date; readonly chargedSince: Date };
  /** Recorded together with its effects. An event that was recorded before has no effects. */
  readonly event?: { readonly id: string; readonly type: string };
}

interface RemoteView {
  readonly isCustomer: boolean;
  readonly subscriptions: readonly RemoteSubscription[];
  readonly invoices: readonly RemoteInvoice[];
  readonly payments: readonly RemotePayment[];
  readonly charges: readonly ReversedCharge[];
}

/**
 * Fetches the customer's current state from the provider and applies it to plan and credits. Events may arrive in any
 * order, because only the current state counts, and each paid invoice and refund counts once.
 * See docs/decisions/billing-fetch-current-state.md.
 */
export async function syncCustomer(parts: SyncParts, order: SyncOrder): Promise<void> {
  const ticket = await drawTicket(parts.db);
  const payer = await findPayer(parts.db, order.ownerId);
  // The payments of a customer who was replaced still count, their subscriptions do not.
  const isCurrent = payer?.customerReference === order.customerId;
  const view = await readRemoteState(parts.gateway, order, isCurrent);
  // Before anything is recorded, so that a failure repeats everything.
  for (const { id } of findSurplus(view.subscriptions)) await parts.gateway.endSubscription(id);
  await parts.db.transaction().execute((tx) => apply(tx, { parts, order, view, ticket, isCurrent }));
}

async function readRemoteState(
  gateway: PaymentsGateway,
  order: SyncOrder,
  isCurrent: boolean,
): Promise<RemoteView> {
  const { customerId, invoiceId, paymentId, catchUp } = order;
  const isCustomer = isCurrent && order.checksCustomer ? await gateway.isCustomer(customerId) : true;
  const subscriptions = isCurrent && isCustomer ? await gateway.findSubscriptions(customerId) : [];
  const charges = await findCharges(gateway, order);
  const invoiceIds = [invoiceId, ...charges.map((charge) => charge.invoiceId)].filter(isText);
  const paymentIds = [paymentId, ...charges.map((charge) => charge.paymentId)].filter(isText);
  const payments = [
    ...(await Promise.all(paymentIds.map((id) => gateway.findPayment(id)))),
    ...(catchUp ? await gateway.findPayments({ customerId, since: catchUp.paidSince }) : []),
  ].filter((payment) => payment !== undefined);
  const invoices = [
    ...(await Promise.all(invoiceIds.map((id) => gateway.findInvoice(id)))),
    ...subscriptions.map(({ latestInvoice }) => latestInvoice).filter((invoice) => invoice !== null),
    ...(catchUp ? await gateway.findPaidInvoices({ customerId, since: catchUp.paidSince }) : []),
  ];
  return { isCustomer, subscriptions, charges, payments, invoices: invoices.toSorted(byPayment) };
}

async function findCharges(
  gateway: PaymentsGateway,
  { customerId, chargeId, catchUp }: SyncOrder,
): Promise<ReversedCharge[]> {
  const missed = catchUp
    ? await gateway.findReversedChargeIds({ customerId, since: catchUp.chargedSince })
    : [];
  const charges: ReversedCharge[] = [];
  for (const id of [chargeId, ...missed].filter(isText)) charges.push(await gateway.findReversedCharge(id));
  return charges;
}

const isText = (value: string | null | undefined): value is string => typeof value === 'string';

const byPayment = (a: RemoteInvoice, b: RemoteInvoice): number =>
  (a.paidAt?.getTime() ?? 0) - (b.paidAt?.getTime() ?? 0);

interface Applying {
  readonly parts: SyncParts;
  readonly order: SyncOrder;
  readonly view: RemoteView;
  readonly ticket: number;
  readonly isCurrent: boolean;
}

async function apply(tx: Tx, { parts, order, view, ticket, isCurrent }: Applying): Promise<void> {
  const { ownerId, customerId, event } = order;
  const payer = await lockPayer(tx, ownerId);
  if (!payer) return;
  const now = parts.clock.now();
  if (event && !(await insertEvent(tx, { ...event, now }))) return;

  // A sync that started later may have written a newer state already, or replaced the customer.
  const isNewest = isCurrent && payer.customerReference === customerId && ticket > payer.syncedTicket;
  const decision = decidePlan(payer, view.subscriptions, now);
  let hasChanged = isNewest && (await applyPlan(tx, { payer, decision, order, ticket, now }));
  if (isNewest && !view.isCustomer) await forgetCustomer(tx, ownerId);
  for (const invoice of view.invoices) {
    const isGranted = await grantPurchase(tx, { ownerId, invoice, now });
    hasChanged ||= isGranted;
  }
  const packs: PaidPack[] = [];
  for (const payment of view.payments) {
    const { pack, paidCents, orderId } = payment;
    if (!pack || !(await isCustomerOf(tx, payer, payment.customerId))) continue;
    if (!(await grantPack(tx, { ownerId, payment, now }))) continue;
    hasChanged = true;
    packs.push({ code: pack.code, paidCents, isAutomatic: orderId !== null });
  }
  let hasStoppedTopUp = false;
  for (const charge of view.charges) {
    const reversed = await applyReversals(tx, { ownerId, charge, now });
    hasChanged ||= reversed.hasChanged;
    hasStoppedTopUp ||= reversed.hasStoppedTopUp;
  }
  if (hasChanged) await refreshBilling(tx, ownerId);
  // Last, because other entries of the customer wait from here on.
  for (const pack of packs) await recordPack(tx, ownerId, pack, now);
  if (hasStoppedTopUp) await recordTopUpStop(tx, ownerId, 'disputed', now);
  const { planCode, owed, pastDueSince } = decision.after;
  if (isNewest && payer.pastDueSince === null && pastDueSince !== null) {
    await recordFailedPayment(tx, ownerId, owed?.cents, now);
  }
  if (isNewest && planCode !== payer.planCode) {
    const about = `${payer.planCode} to ${planCode}`;
    await recordActivity(tx, { accountId: ownerId }, { kind: 'plan.changed', about, now });
  }
}

/** Whether a payment of this customer at the provider is one of the account, also if the customer was replaced since. */
const isCustomerOf = async (tx: Tx, payer: Payer, customerId: string): Promise<boolean> =>
  customerId === payer.customerReference ||
  (await findPayerOfCustomer(tx, customerId))?.ownerId === payer.ownerId;

/** Returns whether the customer sees a change. */
async function applyPlan(
  tx: Tx,
  {
    payer,
    decision: { after, becameFreeAt },
    order,
    ticket,
    now,
  }: { payer: Payer; decision: PlanDecision; order: SyncOrder; ticket: number; now: Date },
): Promise<boolean> {
  const { ownerId } = payer;
  await setPlan(tx, { ownerId, plan: after, ticket, isCaughtUp: order.catchUp !== undefined });
  if (becameFreeAt && payer.hasFreeAllowance && isMonthOld(payer.freeCreditsAt, now)) {
    await setFreeCreditsAt(tx, ownerId, now);
    await topUpFreeCredits(tx, { ownerId, month: becameFreeAt, now });
  }
  return !isSamePlan(payer, after);
}

const isMonthOld = (date: Date, now: Date): boolean => renewalAfter(date, date) <= now;

/** Whether the customer sees no difference. */
const isSamePlan = (a: PlanState, b: PlanState): boolean =>
  a.planCode === b.planCode &&
  a.nextRenewalAt.getTime() === b.nextRenewalAt.getTime() &&
  (a.pastDueSince === null) === (b.pastDueSince === null) &&
  a.pendingKind === b.pendingKind &&
  a.pendingPlanCode === b.pendingPlanCode &&
  a.pendingAt?.getTime() === b.pendingAt?.getTime() &&
  a.owed?.invoiceId === b.owed?.invoiceId &&
  a.owed?.cents === b.owed?.cents;
