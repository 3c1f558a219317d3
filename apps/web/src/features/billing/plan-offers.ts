import {
  FREE_PLAN,
  type PendingChange,
  PLAN_TIERS,
  type PlanCode,
  type PlanTier,
  pricePerCredit,
} from '@assay/contract';
import { formatNumber } from '../../shared/format/counts.ts';
import { formatDate } from '../../shared/format/dates.ts';
import { formatCents, formatDollars } from '../../shared/format/money.ts';
import { planName, type Subscription } from '../../shared/plans/next-invoice.ts';

/** A tier of the price list as people compare it. */
export interface PlanOffer {
  readonly code: PlanCode;
  readonly name: string;
  readonly monthlyCredits: number;
  readonly monthlyFee: string;
  /** Null on the free plan, where a credit has no price. */
  readonly pricePerCredit: string | null;
  readonly pricePerThousand: string | null;
  /** In whole percent against the smallest paid tier; null where there is nothing to save. */
  readonly savingPercent: number | null;
}

export const formatCreditPrice = (tier: PlanTier): string =>
  `$${formatNumber(pricePerCredit(tier), { decimalsMin: 3, decimalsMax: 4 })}`;

export const planOffers: readonly PlanOffer[] = PLAN_TIERS.map(offerOf);
export const smallestPaidOffer: PlanOffer = offerOf(PLAN_TIERS[1]);

/**
 * What choosing a plan would do, said before it is done. `steps` is how many tiers it is above the present one. The
 * portal takes no choice while a change is pending or a payment is owed, so that is said instead.
 */
export function effectOfChoice({
  offer,
  steps,
  subscription,
}: {
  readonly offer: PlanOffer;
  readonly steps: number;
  readonly subscription: Subscription;
}): string {
  const { pending_change, plan, next_renewal_date } = subscription;
  if (pending_change) return effectWithChangePending({ offer, steps, plan, pending: pending_change });
  if (steps === 0) return 'This is the plan that you have.';
  if (subscription.status === 'past_due') {
    return 'Your last payment did not go through. Pay it first, then choose another plan.';
  }
  if (steps < 0)
    return `Begins on ${formatDate(next_renewal_date)}. Until then nothing changes, and your credits stay.`;
  return `${offer.monthlyFee} is due at once. The credits are added to yours, and a new month begins.`;
}

function effectWithChangePending({
  offer,
  steps,
  plan,
  pending,
}: {
  readonly offer: PlanOffer;
  readonly steps: number;
  readonly plan: Subscription['plan'];
  readonly pending: PendingChange;
}): string {
  const date = formatDate(pending.date);
  if (steps === 0) return `This is the plan that you have until ${date}.`;
  if (offer.code === pending.plan.code) return `Your plan changes to this one on ${date}.`;
  const change =
    pending.kind === 'cancellation'
      ? `Your plan is cancelled and ends on ${date}.`
      : `Your plan already changes to ${planName(pending.plan)} on ${date}.`;
  return `${change} Keep your ${planName(plan)} plan first, then choose another one.`;
}

/** Whether the page that confirms one plan can be opened; otherwise the portal's front page is. */
export const canChoosePlan = ({ pending_change, status }: Subscription): boolean =>
  pending_change === null && status === 'active';

function offerOf(tier: (typeof PLAN_TIERS)[number]): PlanOffer {
  const isFree = tier.code === FREE_PLAN.code;
  return {
    code: tier.code,
    name: planName(tier),
    monthlyCredits: tier.monthlyCredits,
    monthlyFee: formatCents(tier.monthlyCostCents),
    pricePerCredit: isFree ? null : formatCreditPrice(tier),
    pricePerThousand: isFree ? null : formatDollars(pricePerCredit(tier) * 1_000),
    savingPercent: isFree ? null : savingOf(tier),
  };
}

function savingOf(tier: PlanTier): number | null {
  const [, smallestPaid] = PLAN_TIERS;
  const saving = Math.round((1 - pricePerCredit(tier) / pricePerCredit(smallestPaid)) * 100);
  return saving > 0 ? saving : null;
}
