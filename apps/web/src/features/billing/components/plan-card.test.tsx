import type { OwedPayment, Wallet } from '@assay/contract';
import { expect, it } from 'vitest';
import { buildSubscription, buildWallet } from '../../../shared/testing/build-customer.ts';
import { renderLoaded } from '../../../shared/testing/render-markup.tsx';
import { PlanCard } from './plan-card.tsx';

const plan50K = { code: '50K', monthly_credits: 50_000, monthly_cost_in_cents: 12_500 };
const plan250K = { code: '250K', monthly_credits: 250_000, monthly_cost_in_cents: 50_000 };
const owedFor = (plan: OwedPayment['plan']): OwedPayment => ({
  invoice_id: 'in_1',
  amount_in_cents: plan.monthly_cost_in_cents,
  plan,
  until: '2026-12-24T12:00:00Z',
});

function textOf(subscription: Partial<Wallet['subscription']>): string {
  const wallet = buildWallet({
    balance: 51_000,
    subscription: buildSubscription({
      plan: plan50K,
      next_renewal_date: '2027-01-15T12:00:00Z',
      ...subscription,
    }),
  });
  return renderLoaded(<PlanCard wallet={wallet} onCompare={() => {}} />).text;
}

it('after an upgrade that is not paid: what is owed, for which plan and until when, and the next invoice as the provider has it', () => {
  const text = textOf({ status: 'past_due', owed: owedFor(plan250K) });

  expect(text).toContain('Plan 50K');
  expect(text).toContain('Invoice total $500.00 if you pay what is owed');
  expect(text).toContain(
    'You owe $500.00 for the 250K plan, which begins when it is paid. Without it, your plan ends on Dec 24, 2026.',
  );
  expect(text).toContain('Pay now');
});

it('after a renewal that is not paid: what is owed and until when', () => {
  expect(textOf({ status: 'past_due', owed: owedFor(plan50K) })).toContain(
    'You owe $125.00. Pay it by Dec 24, 2026 to keep your 50K plan. Pay now',
  );
});

it('says nothing of a payment when none is owed', () => {
  const text = textOf({});

  expect(text).toContain('Invoice total $125.00 Compare Plans');
  expect(text).not.toContain('Pay now');
});
