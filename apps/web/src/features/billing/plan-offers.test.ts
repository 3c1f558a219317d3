import { expect, it } from 'vitest';
import { effectOfChange, planOffers } from './plan-offers.ts';

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

it('says what a change of plan does before it is made', () => {
  const [offer] = planOffers.filter(({ code }) => code === '10K');
  if (!offer) throw new Error('no such tier');
  const effects = [1, 0, -1].map((steps) =>
    effectOfChange({ offer, steps, renewalDate: '2026-12-15T12:00:00Z' }),
  );

  expect(effects).toEqual([
    '$30.00 is due at once. The credits are added to yours, and a new month begins.',
    'This is the plan that you have.',
    'Begins on Dec 15, 2026. Until then nothing changes, and your credits stay.',
  ]);
});
