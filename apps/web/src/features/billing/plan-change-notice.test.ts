import { describe, expect, it } from 'vitest';
import type { Subscription } from '../../shared/plans/next-invoice.ts';
import { buildSubscription } from '../../shared/testing/build-customer.ts';
import { describeChange } from './plan-change-notice.ts';

const plan = (code: string) => ({ code, monthly_credits: 1, monthly_cost_in_cents: 1 });
const date = '2026-12-15T12:00:00Z';
const downgrade = { kind: 'plan_change', plan: plan('10K'), date } as const;
const cancellation = { kind: 'cancellation', plan: plan('FREE'), date } as const;
const on50K = (changes: Partial<Subscription> = {}): Subscription =>
  buildSubscription({ plan: plan('50K'), next_renewal_date: date, ...changes });

describe('back from the portal', () => {
  it.each<[string, Subscription, Subscription, string | null]>([
    ['nothing changed', on50K(), on50K(), null],
    ['a larger plan', on50K(), on50K({ plan: plan('1M') }), 'Your plan is now 1M.'],
    ['a plan that ended', on50K(), on50K({ plan: plan('FREE') }), 'Your plan is now Free.'],
    ['a downgrade', on50K(), on50K({ pending_change: downgrade }), 'Your plan changes to 10K on Dec 15.'],
    [
      'a cancellation',
      on50K(),
      on50K({ pending_change: cancellation }),
      'Your plan was cancelled; it ends on Dec 15.',
    ],
    [
      'a cancellation instead of a downgrade',
      on50K({ pending_change: downgrade }),
      on50K({ pending_change: cancellation }),
      'Your plan was cancelled; it ends on Dec 15.',
    ],
    ['a change undone', on50K({ pending_change: downgrade }), on50K(), 'Your plan is kept.'],
    [
      'the same change still pending',
      on50K({ pending_change: downgrade }),
      on50K({ pending_change: downgrade }),
      null,
    ],
    ['a payment made', on50K({ status: 'past_due' }), on50K(), 'Your payment went through.'],
  ])('%s', (_, before, after, words) => {
    expect(describeChange(before, after)).toBe(words);
  });
});
