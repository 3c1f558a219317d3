/** A month of credits for a monthly fee. Prices per credit are derived. */
export interface PlanTier {
  readonly code: string;
  readonly monthlyCredits: number;
  readonly monthlyCostCents: number;
}

export const FREE_PLAN = {
  code: 'FREE',
  monthlyCredits: 1_000,
  monthlyCostCents: 0,
} as const satisfies PlanTier;

/** The tiers of the price list, smallest first. */
export const PLAN_TIERS = [
  FREE_PLAN,
  { code: '2K', monthlyCredits: 2_000, monthlyCostCents: 700 },
  { code: '10K', monthlyCredits: 10_000, monthlyCostCents: 3_000 },
  { code: '50K', monthlyCredits: 50_000, monthlyCostCents: 12_500 },
  { code: '250K', monthlyCredits: 250_000, monthlyCostCents: 50_000 },
  { code: '500K', monthlyCredits: 500_000, monthlyCostCents: 75_000 },
  { code: '1M', monthlyCredits: 1_000_000, monthlyCostCents: 100_000 },
] as const satisfies readonly PlanTier[];

export type PlanCode = (typeof PLAN_TIERS)[number]['code'];
export const PLAN_CODES = PLAN_TIERS.map((tier) => tier.code);

/** Credits that are bought once. A pack costs what a month of the tier of its size costs. */
export const CREDIT_PACKS = PLAN_TIERS.slice(1) as readonly Exclude<
  (typeof PLAN_TIERS)[number],
  typeof FREE_PLAN
>[];

export type PackCode = (typeof CREDIT_PACKS)[number]['code'];
export const PACK_CODES = CREDIT_PACKS.map((pack) => pack.code);

/** Custom plans begin above the largest tier and end here. */
export const CUSTOM_PLAN_MONTHLY_CREDITS_MAX = 100_000_000;

export const OPENING_GRANT_CREDITS = 1_000;

export const findPack = (code: string): PlanTier | undefined =>
  CREDIT_PACKS.find((pack) => pack.code === code);
export const findPlan = (code: string): PlanTier | undefined => PLAN_TIERS.find((tier) => tier.code === code);

/** In US dollars; 0 for the free plan. */
export const pricePerCredit = (tier: PlanTier): number => tier.monthlyCostCents / 100 / tier.monthlyCredits;
