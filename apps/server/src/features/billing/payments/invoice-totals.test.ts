import type { Invoice } from '@assay/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { topUpBalances } from '../top-up/top-up.ts';
import { openPaidShop, type PaidShop, type Subscriber } from './testing/paid-shop.ts';

let shop: PaidShop;
let jane: Subscriber;
beforeEach(async () => {
  shop = await openPaidShop();
  jane = await shop.signUp({ card: 'pm_card_visa' });
});
afterEach(() => shop.close());

/** What the customer is told everywhere: the plan card, our list, Stripe's invoices and receipts, and the charges. */
async function totals() {
  const { plan, next_renewal_date } = (await jane.wallet()).subscription;
  const invoices = await shop.api.call('GET', '/billing/me/invoices?page_size=100', {
    token: await jane.token(),
  });
  const listed: Invoice[] = invoices.json().results;
  const customer = jane.customerId;
  const charges = (await shop.stripe.charges.list({ customer, limit: 100 })).data.filter(({ paid }) => paid);
  const issued = (await shop.stripe.invoices.list({ customer, status: 'paid', limit: 100 })).data;
  const bought = (await jane.history()).filter(({ category }) => ['PURCHASE', 'PACK'].includes(category));
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    card: plan.monthly_cost_in_cents,
    next: next_renewal_date.slice(0, 10),
    listed: sum(listed.map(({ total_in_cents }) => total_in_cents)),
    charged: sum(charges.map(({ amount }) => amount)),
    invoiced: sum(issued.map(({ total }) => total)),
    receipts: sum(
      listed.filter(({ id }) => id.startsWith('pi_')).map(({ total_in_cents }) => total_in_cents),
    ),
    listedCredits: sum(listed.map(({ credits }) => credits)),
    ledgerCredits: sum(bought.map(({ amount }) => amount)),
  };
}

it('card, portal and ledger agree to the cent after every kind of change', async () => {
  let paid = 0;
  const expectTotals = async (change: string, cents: number, monthly: number) => {
    paid += cents;
    const found = await totals();
    expect({ change, ...found }).toMatchObject({ change, card: monthly, listed: paid, charged: paid });
    expect([change, found.ledgerCredits]).toEqual([change, found.listedCredits]);
  };

  await jane.upgradeTo('2K');
  await expectTotals('first plan', 700, 700);
  await jane.upgradeTo('10K');
  await expectTotals('larger plan', 3_000, 3_000);
  await shop.advanceTo('2026-03-02T10:00:00Z');
  await expectTotals('renewal', 3_000, 3_000);
  await (await jane.orderPack('50K')).pay();
  await expectTotals('pack', 12_500, 3_000);
  expect((await totals()).invoiced).toBe(paid);

  await jane.downgradeTo('2K');
  await expectTotals('scheduled smaller plan', 0, 3_000);
  await shop.advanceTo('2026-04-02T10:00:00Z');
  await expectTotals('smaller plan', 700, 700);

  const settings = { is_on: true, below: 1_000_000, pack: '2K', monthly_cap_in_cents: 700 };
  const token = await jane.token();
  await shop.api.call('PUT', '/billing/me/automatic_top_up', { token, body: settings });
  await topUpBalances(shop.parts, new AbortController().signal);
  await shop.payments.webhooks.settled();
  await expectTotals('automatic top-up', 700, 700);

  // A month later, when the schedule of the smaller plan has ended.
  await shop.advanceTo('2026-05-03T10:00:00Z');
  await expectTotals('renewal of the smaller plan', 700, 700);
  await jane.cancelAtMonthsEnd();
  await shop.advanceTo('2026-06-10T10:00:00Z');
  await expectTotals('cancellation', 0, 0);
  expect(await shop.audit()).toEqual([]);
});
