import { describe, expect, it } from 'vitest';
import { FREE_PLAN, findPlan, OPENING_GRANT_CREDITS, PLAN_TIERS, pricePerCredit } from './plans.ts';

describe('the price list', () => {
  it('§9 Plan tiers: credits, monthly fee and per-credit price in US$', () => {
    const list = PLAN_TIERS.map((tier) => [
      tier.monthlyCredits,
      tier.monthlyCostCents / 100,
      Number(pricePerCredit(tier).toFixed(6)),
    ]);

    expect(list).toEqual([
      [1_000, 0, 0],
      [2_000, 7, 0.0035],
      [10_000, 30, 0.003],
      [50_000, 125, 0.0025],
      [250_000, 500, 0.002],
      [500_000, 750, 0.0015],
      [1_000_000, 1_000, 0.001],
    ]);
  });

  it('§9 new users get 1000 free credits, a month of the free plan', () => {
    expect(OPENING_GRANT_CREDITS).toBe(1_000);
    expect(FREE_PLAN.monthlyCredits).toBe(OPENING_GRANT_CREDITS);
  });

  it('finds a tier by its code, and nothing for an unknown code', () => {
    expect(findPlan('10K')?.monthlyCostCents).toBe(3_000);
    expect(findPlan('11K')).toBeUndefined();
  });
});
