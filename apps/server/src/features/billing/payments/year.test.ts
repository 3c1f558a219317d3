import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPaidShop, type PaidShop } from './testing/paid-shop.ts';

describe('a year of a paid plan', () => {
  let shop: PaidShop;

  beforeEach(async () => {
    shop = await openPaidShop({ now: new Date('2027-12-31T10:00:00Z') });
  });
  afterEach(() => shop.close());

  it('twelve renewals with an upgrade, a downgrade and a failed payment end in the exact balance', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('2K');

    // Paid on 31 Dec, 31 Jan, 29 Feb (2028 is a leap year) and 31 Mar.
    await shop.advanceTo('2028-04-10T09:00:00Z');
    expect((await jane.wallet()).balance).toBe(1_000 + 4 * 2_000);
    await jane.spend(6_500);

    // A new month begins on the day of the upgrade: 10 Apr, 10 May, 10 Jun.
    await jane.upgradeTo('10K');
    await shop.advanceTo('2028-06-20T00:00:00Z');
    expect((await jane.wallet()).balance).toBe(2_500 + 3 * 10_000);

    // From 10 Jul on 2,000 again: 10 Jul, 10 Aug.
    await jane.downgradeTo('2K');
    await shop.advanceTo('2028-08-20T00:00:00Z');
    expect(await jane.wallet()).toMatchObject({
      balance: 32_500 + 2 * 2_000,
      subscription: { plan: { code: '2K' }, next_renewal_date: '2028-09-10T09:00:00.000Z' },
    });

    // The payment of 10 Sep fails; its second attempt, three days later, is paid with another card. Then 10 Oct to 10 Dec.
    await jane.useCard('pm_card_chargeCustomerFail');
    await shop.advanceTo('2028-09-11T12:00:00Z');
    expect(await jane.wallet()).toMatchObject({ balance: 36_500, subscription: { plan: { code: '2K' } } });
    await jane.useCard('pm_card_visa');
    await shop.advanceTo('2028-12-31T12:00:00Z');

    expect(await jane.wallet()).toEqual({
      balance: 36_500 + 4 * 2_000,
      held: 0,
      top_up_stopped_because: null,
      top_up_paused_until: null,
      free_credits_withheld: null,
      frozen: 0,
      low_balance_threshold: null,
      subscription: {
        status: 'active',
        pending_change: null,
        owed: null,
        next_renewal_date: '2029-01-10T09:00:00.000Z',
        plan: { code: '2K', monthly_credits: 2_000, monthly_cost_in_cents: 700 },
      },
    });
    const history = await jane.history();
    expect(history.filter(({ category }) => category === 'PURCHASE')).toHaveLength(13);
    let balance = 0;
    for (const { amount, balance_after } of history) {
      balance += amount;
      expect(balance_after).toBe(balance);
    }
    expect(await shop.audit()).toEqual([]);
  }, 300_000);
});
