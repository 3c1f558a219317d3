import type { PendingChange, Wallet } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { buildSubscription, buildWallet } from '../../shared/testing/build-customer.ts';
import { summarizePlan } from './plan-summary.ts';

const now = new Date('2026-11-15T12:00:00Z');

interface WalletFacts {
  balance?: number;
  code?: string;
  monthlyCredits?: number;
  renewal?: string;
  status?: Wallet['subscription']['status'];
  pendingChange?: PendingChange;
}

const walletOf = ({
  balance = 1_000,
  code = 'FREE',
  monthlyCredits = 1_000,
  renewal = '2026-12-15T12:00:00+00:00',
  status = 'active',
  pendingChange,
}: WalletFacts): Wallet =>
  buildWallet({
    balance,
    subscription: buildSubscription({
      status,
      pending_change: pendingChange ?? null,
      next_renewal_date: renewal,
      plan: { code, monthly_credits: monthlyCredits, monthly_cost_in_cents: 0 },
    }),
  });

describe('§2 Sidebar: plan label', () => {
  it('FREE on the free plan', () => {
    expect(summarizePlan(walletOf({}), now).planLabel).toBe('FREE');
  });
  it.each([
    ['2K', 2_000, '2.0k PLAN'],
    ['250K', 250_000, '250.0k PLAN'],
    ['1M', 1_000_000, '1.0M PLAN'],
    ['CUSTOM', 100_000_000, '100.0M PLAN'],
  ])('plan %s of %i credits is %s', (code, monthlyCredits, label) => {
    expect(summarizePlan(walletOf({ code, monthlyCredits }), now).planLabel).toBe(label);
  });
});

describe('§2 Sidebar: balance and renewal', () => {
  it('the balance is in short form', () => {
    expect(summarizePlan(walletOf({ balance: 1_000 }), now).balance).toBe('1.0k');
  });
  it("'Until' and the renewal date as MMM DD", () => {
    expect(summarizePlan(walletOf({ renewal: '2026-12-05T12:00:00+00:00' }), now).until).toBe('Until Dec 05');
  });
});

describe('a plan that does not simply go on', () => {
  const plan10K = { code: '10K', monthly_credits: 10_000, monthly_cost_in_cents: 3_000 };
  const free = { code: 'FREE', monthly_credits: 1_000, monthly_cost_in_cents: 0 };
  const date = '2026-12-15T12:00:00+00:00';

  it.each([
    ['nothing to say of an ordinary month', {}, null],
    [
      'a smaller plan',
      { pendingChange: { kind: 'plan_change', plan: plan10K, date } },
      '10.0k PLAN from Dec 15',
    ],
    ['a cancellation', { pendingChange: { kind: 'cancellation', plan: free, date } }, 'FREE from Dec 15'],
    ['a payment that is owed', { status: 'past_due' }, 'Payment failed'],
  ] satisfies [string, WalletFacts, string | null][])('%s', (_, facts, notice) => {
    const summary = summarizePlan(walletOf({ code: '50K', monthlyCredits: 50_000, ...facts }), now);

    expect(summary).toMatchObject({ planLabel: '50.0k PLAN', until: 'Until Dec 15', notice });
  });
});

describe('§2 Sidebar: two progress bars', () => {
  it.each([
    [1_000, 100],
    [250, 25],
    [0, 0],
    [7_000, 100],
  ])('a balance of %i against 1000 a month fills %i percent', (balance, percent) => {
    expect(summarizePlan(walletOf({ balance }), now).balancePercent).toBe(percent);
  });
  it('a plan without monthly credits is full when there is a balance', () => {
    expect(summarizePlan(walletOf({ balance: 5, monthlyCredits: 0 }), now).balancePercent).toBe(100);
    expect(summarizePlan(walletOf({ balance: 0, monthlyCredits: 0 }), now).balancePercent).toBe(0);
  });
  it.each([
    ['2026-12-15T12:00:00+00:00', 30, 100],
    ['2026-12-16T12:00:00+00:00', 31, 100],
    ['2026-11-30T12:00:00+00:00', 15, 50],
    ['2026-11-15T12:00:00+00:00', 0, 0],
    ['2026-11-01T12:00:00+00:00', 0, 0],
  ])('renewal on %s: %i days, capped at 30, fills %i percent', (renewal, days, percent) => {
    const summary = summarizePlan(walletOf({ renewal }), now);
    expect(summary.daysToRenewal).toBe(days);
    expect(summary.renewalPercent).toBe(percent);
  });
});
