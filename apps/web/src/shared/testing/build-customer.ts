import type { User, Wallet } from '@assay/contract';

export const buildUser = (some: Partial<User> = {}): User => ({
  id: '00000000-0000-4000-8000-000000000001',
  first_name: 'Ada',
  last_name: 'Assayer',
  email_address: 'ada@assay.test',
  phone: null,
  identities: ['email'],
  creation_date: '2026-01-01T00:00:00Z',
  feature_flags: { guessing_enabled: false, can_change_password: true },
  ...some,
});

type Subscription = Wallet['subscription'];

/** Of the free plan. */
export const buildSubscription = (some: Partial<Subscription> = {}): Subscription => ({
  status: 'active',
  pending_change: null,
  owed: null,
  next_renewal_date: '2026-12-15T12:00:00+00:00',
  plan: { code: 'FREE', monthly_credits: 1_000, monthly_cost_in_cents: 0 },
  ...some,
});

export const buildWallet = (some: Partial<Wallet> = {}): Wallet => ({
  balance: 1_000,
  held: 0,
  frozen: 0,
  low_balance_threshold: null,
  top_up_stopped_because: null,
  top_up_paused_until: null,
  free_credits_withheld: null,
  subscription: buildSubscription(),
  ...some,
});
