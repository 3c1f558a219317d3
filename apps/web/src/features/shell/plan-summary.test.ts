import type { Wallet } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { summarizePlan } from './plan-summary.ts';

const now = new Date('2026-11-15T12:00:00Z');

interface WalletFacts {
  balance?: number;
  code?: string;
  monthlyCredits?: number;
  renewal?: string;
}

const buildWallet = ({
  balance = 1_000,
  code = 'FREE',
  monthlyCredits = 1_000,
  renewal = '2026-12-15T12:00:00+00:00',
}: WalletFacts): Wallet => ({
  balance,
  subscription: {
    next_renewal_date: renewal,
    plan: { code, monthly_credits: monthlyCredits, monthly_cost_in_cents: 0 },
  },
});

describe('§2 Sidebar: plan label', () => {
  it('FREE on the free plan', () => {
    expect(summarizePlan(buildWallet({}), now).planLabel).toBe('FREE');
  });
  it.each([
    ['2K', 2_000, '2.0k PLAN'],
    ['250K', 250_000, '250.0k PLAN'],
    ['1M', 1_000_000, '1.0M PLAN'],
    ['CUSTOM', 100_000_000, '100.0M PLAN'],
  ])('plan %s of %i credits is %s', (code, monthlyCredits, label) => {
    expect(summarizePlan(buildWallet({ code, monthlyCredits }), now).planLabel).toBe(label);
  });
});

describe('§2 Sidebar: balance and renewal', () => {
  it('the balance is in short form', () => {
    expect(summarizePlan(buildWallet({ balance: 1_000 }), now).balance).toBe('1.0k');
  });
  it("'Until' and the renewal date as MMM DD", () => {
    expect(summarizePlan(buildWallet({ renewal: '2026-12-05T12:00:00+00:00' }), now).until).toBe(
      'Until Dec 05',
    );
  });
});

describe('§2 Sidebar: two progress bars', () => {
  it.each([
    [1_000, 100],
    [250, 25],
    [0, 0],
    [7_000, 100],
  ])('a balance of %i against 1000 a month fills %i percent', (balance, percent) => {
    expect(summarizePlan(buildWallet({ balance }), now).balancePercent).toBe(percent);
  });
  it('a plan without monthly credits is full when there is a balance', () => {
    expect(summarizePlan(buildWallet({ balance: 5, monthlyCredits: 0 }), now).balancePercent).toBe(100);
    expect(summarizePlan(buildWallet({ balance: 0, monthlyCredits: 0 }), now).balancePercent).toBe(0);
  });
  it.each([
    ['2026-12-15T12:00:00+00:00', 30, 100],
    ['2026-12-16T12:00:00+00:00', 31, 100],
    ['2026-11-30T12:00:00+00:00', 15, 50],
    ['2026-11-15T12:00:00+00:00', 0, 0],
    ['2026-11-01T12:00:00+00:00', 0, 0],
  ])('renewal on %s: %i days, capped at 30, fills %i percent', (renewal, days, percent) => {
    const summary = summarizePlan(buildWallet({ renewal }), now);
    expect(summary.daysToRenewal).toBe(days);
    expect(summary.renewalPercent).toBe(percent);
  });
});
