import { FREE_PLAN, findPlan, type PlanTier } from '@assay/contract';
import { renewalAfter } from '../renewal-date.ts';
import type { PlannedChange, RemoteSubscription } from './payments-gateway.ts';

/** The customer's plan in our database. */
export interface PlanState {
  readonly planCode: string;
  readonly anchoredAt: Date;
  readonly nextRenewalAt: Date;
  readonly pastDueSince: Date | null;
  readonly subscriptionReference: string | null;
  readonly pendingKind: PlannedChange['kind'] | null;
  readonly pendingPlanCode: string | null;
  readonly pendingAt: Date | null;
  readonly owed: OwedInvoice | null;
}

/** The open invoice of an overdue subscription. */
interface OwedInvoice {
  readonly invoiceId: string;
  readonly cents: number;
  readonly planCode: string;
  readonly since: Date;
}

export interface PlanDecision {
  readonly after: PlanState;
  /** When a paid plan ended and Free started; null when that did not happen. */
  readonly becameFreeAt: Date | null;
}

/**
 * Decides the customer's plan from all their subscriptions at the provider. A more expensive plan starts when its invoice
 * is paid, a cheaper one when the provider has switched. A failed payment changes nothing. Free keeps our own dates,
 * whatever the provider's are.
 */
export function decidePlan(
  before: PlanState,
  subscriptions: readonly RemoteSubscription[],
  now: Date,
): PlanDecision {
  const counting = findCurrent(subscriptions);
  const plan = counting ? planFrom(before, counting) : FREE_PLAN;
  const isOverdue = counting?.state === 'overdue';
  const wasFree = before.planCode === FREE_PLAN.code;
  const begun = counting?.periodStart ?? endOf(before, subscriptions) ?? now;
  return {
    after: {
      planCode: plan.code,
      ...datesOf({ before, plan, counting, freeSince: begun, now }),
      pastDueSince: isOverdue ? (before.pastDueSince ?? now) : null,
      subscriptionReference: counting?.id ?? null,
      ...pendingOf(plan, counting),
      owed: counting && isOverdue ? owedOf(counting) : null,
    },
    becameFreeAt: plan.code === FREE_PLAN.code && !wasFree ? begun : null,
  };
}

/** The newest invoice, which is for the plan that the subscription has at the provider, paid or not. */
function owedOf({ plan, latestInvoice }: RemoteSubscription): OwedInvoice | null {
  if (!latestInvoice || latestInvoice.dueCents <= 0) return null;
  const { id, dueCents, issuedAt } = latestInvoice;
  return { invoiceId: id, cents: dueCents, planCode: plan.code, since: issuedAt };
}

/** The scheduled change, unless the plan stays the same: a cancelled Free plan stays Free. */
function pendingOf(plan: PlanTier, counting: RemoteSubscription | undefined) {
  const pending = counting?.pendingChange;
  if (!pending || pending.plan.code === plan.code) {
    return { pendingKind: null, pendingPlanCode: null, pendingAt: null };
  }
  return { pendingKind: pending.kind, pendingPlanCode: pending.plan.code, pendingAt: pending.at };
}

/** The subscription that decides the plan. */
export const findCurrent = (subscriptions: readonly RemoteSubscription[]): RemoteSubscription | undefined =>
  weigh(subscriptions)[0];

/** Other live subscriptions, which must stop charging the customer. */
export const findSurplus = (subscriptions: readonly RemoteSubscription[]): RemoteSubscription[] =>
  weigh(subscriptions).slice(1);

/** Live subscriptions, the deciding one first. */
const weigh = (subscriptions: readonly RemoteSubscription[]): RemoteSubscription[] =>
  subscriptions.filter(({ state }) => state === 'active' || state === 'overdue').sort(byWeight);

/** Paid before free, active before overdue, newest first. */
function byWeight(a: RemoteSubscription, b: RemoteSubscription): number {
  const paid = Number(b.plan.monthlyCostCents > 0) - Number(a.plan.monthlyCostCents > 0);
  const inOrder = Number(b.state === 'active') - Number(a.state === 'active');
  return paid || inOrder || b.createdAt.getTime() - a.createdAt.getTime();
}

function planFrom(before: PlanState, counting: RemoteSubscription): PlanTier {
  const current = findPlan(before.planCode) ?? FREE_PLAN;
  const isDearer = counting.plan.monthlyCostCents > current.monthlyCostCents;
  return isDearer && !isPaidFor(counting) ? current : counting.plan;
}

const isPaidFor = ({ state, plan, latestInvoice }: RemoteSubscription): boolean =>
  state === 'active' &&
  latestInvoice !== null &&
  latestInvoice.isPaid &&
  latestInvoice.months.some((month) => month.plan.code === plan.code && month.costCents > 0);

const endOf = (before: PlanState, subscriptions: readonly RemoteSubscription[]): Date | null | undefined =>
  subscriptions.find(({ id }) => id === before.subscriptionReference)?.endedAt;

interface DateParts {
  readonly before: PlanState;
  readonly plan: PlanTier;
  readonly counting: RemoteSubscription | undefined;
  readonly freeSince: Date;
  readonly now: Date;
}

function datesOf({ before, plan, counting, freeSince, now }: DateParts) {
  if (plan.code !== FREE_PLAN.code && counting) {
    return { anchoredAt: counting.anchoredAt, nextRenewalAt: counting.periodEnd };
  }
  if (before.planCode === FREE_PLAN.code) {
    return { anchoredAt: before.anchoredAt, nextRenewalAt: before.nextRenewalAt };
  }
  return { anchoredAt: freeSince, nextRenewalAt: renewalAfter(freeSince, now) };
}
