import { FREE_PLAN, PLAN_TIERS, type PlanCode, type PlanTier, pricePerCredit } from '@assay/contract';
import { formatDate } from '../../shared/format/dates.ts';

/** A tier of the price list as people compare it. */
export interface PlanOffer {
  readonly code: PlanCode;
  readonly name: string;
  readonly monthlyCredits: number;
  readonly monthlyFee: string;
  /** Null on the free plan, where a credit has no price. */
  readonly pricePerCredit: string | null;
  /** In whole percent against the smallest paid tier; null where there is nothing to save. */
  readonly savingPercent: number | null;
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const smallPrice = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 3,
  maximumFractionDigits: 4,
});

export const formatCents = (cents: number): string => dollars.format(cents / 100);

export const planOffers: readonly PlanOffer[] = PLAN_TIERS.map(offerOf);
export const smallestPaidOffer: PlanOffer = offerOf(PLAN_TIERS[1]);

/** What choosing a plan would do, said before it is done. `steps` is how many tiers it is above the present one. */
export function effectOfChange({
  offer,
  steps,
  renewalDate,
}: {
  readonly offer: PlanOffer;
  readonly steps: number;
  readonly renewalDate: string;
}): string {
  if (steps === 0) return 'This is the plan that you have.';
  if (steps < 0)
    return `Begins on ${formatDate(renewalDate)}. Until then nothing changes, and your credits stay.`;
  return `${offer.monthlyFee} is due at once. The credits are added to yours, and a new month begins.`;
}

function offerOf(tier: (typeof PLAN_TIERS)[number]): PlanOffer {
  const isFree = tier.code === FREE_PLAN.code;
  return {
    code: tier.code,
    name: isFree ? 'Free' : tier.code,
    monthlyCredits: tier.monthlyCredits,
    monthlyFee: formatCents(tier.monthlyCostCents),
    pricePerCredit: isFree ? null : smallPrice.format(pricePerCredit(tier)),
    savingPercent: isFree ? null : savingOf(tier),
  };
}

function savingOf(tier: PlanTier): number | null {
  const [, smallestPaid] = PLAN_TIERS;
  const saving = Math.round((1 - pricePerCredit(tier) / pricePerCredit(smallestPaid)) * 100);
  return saving > 0 ? saving : null;
}
