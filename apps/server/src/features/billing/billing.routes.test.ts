import { billingRoutes } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { movableClock } from '../../testing/clock.ts';

describe('GET /billing/me', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi({ clock: movableClock('2028-01-30T09:00:00Z') });
  });
  afterAll(() => api.close());

  it('§3 Wallet: 200 with balance, plan and next renewal, also as the very first call', async () => {
    const token = await api.tokenFor();

    const answer = await api.call('GET', '/billing/me', { token });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      balance: 1_000,
      held: 0,
      top_up_stopped_because: null,
      top_up_paused_until: null,
      free_credits_withheld: null,
      frozen: 0,
      low_balance_threshold: null,
      subscription: {
        status: 'active',
        next_renewal_date: '2028-02-29T09:00:00.000Z',
        plan: { code: 'FREE', monthly_credits: 1_000, monthly_cost_in_cents: 0 },
        pending_change: null,
        owed: null,
      },
    });
  });

  it('§6 401 when signed out', async () => {
    expect((await api.call('GET', '/billing/me')).statusCode).toBe(401);
  });

  it('accepts an API key', () => {
    expect(billingRoutes.getWallet.auth).toBe('user_or_key');
  });
});
