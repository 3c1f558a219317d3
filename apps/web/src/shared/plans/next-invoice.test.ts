import { expect, it } from 'vitest';
import { buildSubscription } from '../testing/build-customer.ts';
import { nextInvoice, type Subscription } from './next-invoice.ts';

const plan50K = { code: '50K', monthly_credits: 50_000, monthly_cost_in_cents: 12_500 };
const plan10K = { code: '10K', monthly_credits: 10_000, monthly_cost_in_cents: 3_000 };
const subscription = (pending_change: Subscription['pending_change']) =>
  buildSubscription({ plan: plan50K, next_renewal_date: '2026-12-15T12:00:00Z', pending_change });

it('without a change: the plan at its renewal', () => {
  expect(nextInvoice(subscription(null))).toEqual({ plan: plan50K, date: '2026-12-15T12:00:00Z' });
});

it('with a change at the renewal: the plan that follows', () => {
  const change = { kind: 'plan_change', plan: plan10K, date: '2026-12-15T13:00:00+01:00' } as const;

  expect(nextInvoice(subscription(change))).toMatchObject({ plan: plan10K, date: change.date });
});

it('with a change after the next renewal: that renewal is invoiced as before', () => {
  const change = { kind: 'plan_change', plan: plan10K, date: '2027-01-15T12:00:00Z' } as const;

  expect(nextInvoice(subscription(change))).toEqual({ plan: plan50K, date: '2026-12-15T12:00:00Z' });
});
