import { FREE_PLAN, findPlan, type PlanTier } from '@assay/contract';
import { renewalAfter } from '../renewal-date.ts';
import type { PlannedChange, RemoteSubscription } from './payments-gateway.ts';

/** A customer's plan as we have it. */
export interface PlanState {
  readonly planCode: string;
  readonly anchoredAt: Date;
  readonly nextRenewalAt: Date;
  readonly pastDueSince: Date | null;
  readonly subscriptionReference: string | null;
  readonly pendingKind: PlannedChange['kind'] | null;
  readonly pendingPlanCode: string | null;
  readonly pendingAt: Date | null;
}

export interface PlanDecision {
  readonly after: PlanState;
  /** When a paid plan ended and Free began. */
  readonly becameFreeAt: Date | null;
}

/**
 * What the plan is, given all that the customer subscribes to at the provider. A dearer plan counts once its invoice is
 * paid, a cheaper one as soon as the provider has switched; a payment that fails changes nothing. While the plan is
 * Free its dates are our own and nothing there moves them.
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
    },
    becameFreeAt: plan.code === FREE_PLAN.code && !wasFree ? begun : null,
  };
}

/** The change that is still to come, if the customer would notice it: Free stays Free when it is cancelled. */
function pendingOf(plan: PlanTier, counting: RemoteSubscription | undefined) {
  const pending = counting?.pendingChange;
  if (!pending || pending.plan.code === plan.code) {
    return { pendingKind: null, pendingPlanCode: null, pendingAt: null };
  }
  return { pendingKind: pending.kind, pendingPlanCode: pending.plan.code, pendingAt: pending.at };
}

/** The subscription that the plan follows. */
export const findCurrent = (subscriptions: readonly RemoteSubscription[]): RemoteSubscription | undefined =>
  weigh(subscriptions)[0];

/** Subscriptions beside the one that counts: they must not go on charging. */
export const findSurplus = (subscriptions: readonly RemoteSubscription[]): RemoteSubscription[] =>
  weigh(subscriptions).slice(1);

/** Those that live, the one that counts first. */
const weigh = (subscriptions: readonly RemoteSubscription[]): RemoteSubscription[] =>
  subscriptions.filter(({ state }) => state === 'active' || state === 'overdue').sort(byWeight);

/** Paid before free, in order before overdue, newest first. */
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
