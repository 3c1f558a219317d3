import { findPlan } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import type { Subscription } from '../../shared/plans/next-invoice.ts';
import { buildSubscription } from '../../shared/testing/build-customer.ts';
import { canChoosePlan, effectOfChoice, planOffers } from './plan-offers.ts';

it('§9 Plan tiers: credits, fee and price per credit, and the saving against the smallest paid tier', () => {
  const rows = planOffers.map((offer) => [
    offer.name,
    offer.monthlyCredits,
    offer.monthlyFee,
    offer.pricePerCredit,
    offer.savingPercent,
  ]);

  expect(rows).toEqual([
    ['Free', 1_000, '$0.00', null, null],
    ['2K', 2_000, '$7.00', '$0.0035', null],
    ['10K', 10_000, '$30.00', '$0.003', 14],
    ['50K', 50_000, '$125.00', '$0.0025', 29],
    ['250K', 250_000, '$500.00', '$0.002', 43],
    ['500K', 500_000, '$750.00', '$0.0015', 57],
    ['1M', 1_000_000, '$1,000.00', '$0.001', 71],
  ]);
});

const tierOf = (code: string) => {
  const tier = findPlan(code);
  if (!tier) throw new Error(`no plan ${code}`);
  return {
    code,
    monthly_credits: tier.monthlyCredits,
    monthly_cost_in_cents: tier.monthlyCostCents,
  };
};
const date = '2026-12-15T12:00:00Z';
const on10K = (changes: Partial<Subscription> = {}): Subscription =>
  buildSubscription({ plan: tierOf('10K'), next_renewal_date: date, ...changes });
const effectOf = (code: string, subscription: Subscription) => {
  const index = planOffers.findIndex((offer) => offer.code === code);
  const offer = planOffers[index];
  if (!offer) throw new Error(`no plan ${code}`);
  return effectOfChoice({ offer, steps: index - 2, subscription });
};

describe('what choosing a plan does, said before it is done', () => {
  it('a larger plan at once, a smaller one at the renewal', () => {
    expect(['50K', '10K', '2K'].map((code) => effectOf(code, on10K()))).toEqual([
      '$125.00 is due at once. The credits are added to yours, and a new month begins.',
      'This is the plan that you have.',
      'Begins on Dec 15, 2026. Until then nothing changes, and your credits stay.',
    ]);
    expect(canChoosePlan(on10K())).toBe(true);
  });

  it('with a smaller plan pending: no promise that the portal cannot keep', () => {
    const pending = on10K({ pending_change: { kind: 'plan_change', plan: tierOf('2K'), date } });

    expect(['250K', '10K', '2K'].map((code) => effectOf(code, pending))).toEqual([
      'Your plan already changes to 2K on Dec 15, 2026. Keep your 10K plan first, then choose another one.',
      'This is the plan that you have until Dec 15, 2026.',
      'Your plan changes to this one on Dec 15, 2026.',
    ]);
    expect(canChoosePlan(pending)).toBe(false);
  });

  it('with a cancellation pending', () => {
    const pending = on10K({ pending_change: { kind: 'cancellation', plan: tierOf('FREE'), date } });

    expect(['250K', 'FREE'].map((code) => effectOf(code, pending))).toEqual([
      'Your plan is cancelled and ends on Dec 15, 2026. Keep your 10K plan first, then choose another one.',
      'Your plan changes to this one on Dec 15, 2026.',
    ]);
  });

  it('with a payment owed: it comes first', () => {
    const owing = on10K({ status: 'past_due' });

    expect(effectOf('50K', owing)).toBe(
      'Your last payment did not go through. Pay it first, then choose another plan.',
    );
    expect(canChoosePlan(owing)).toBe(false);
  });
});
