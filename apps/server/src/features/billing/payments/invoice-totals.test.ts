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

/** What the customer is told everywhere: the plan card, our list, Stripe's invoices, and the charges. */
async function totals() {
  const { plan } = (await jane.wallet()).subscription;
  const invoices = await shop.api.call('GET', '/billing/me/invoices?page_size=100', {
    token: await jane.token(),
  });
  const all: Invoice[] = invoices.json().results;
  const listed = all.filter(({ status }) => status !== 'open');
  const customer = jane.customerId;
  const charges = (await shop.stripe.charges.list({ customer, limit: 100 })).data.filter(({ paid }) => paid);
  const issued = (await shop.stripe.invoices.list({ customer, status: 'paid', limit: 100 })).data;
  const bought = (await jane.history()).filter(({ category }) => ['PURCHASE', 'PACK'].includes(category));
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    card: plan.monthly_cost_in_cents,
    listed: sum(listed.map(({ total_in_cents }) => total_in_cents)),
    listedAsPaid: sum(listed.map(({ paid_in_cents }) => paid_in_cents)),
    charged: sum(charges.map(({ amount }) => amount)),
    invoiced: sum(issued.map(({ total }) => total)),
    listedCredits: sum(listed.map(({ credits }) => credits)),
    ledgerCredits: sum(bought.map(({ amount }) => amount)),
  };
}

it('card, portal and ledger agree to the cent after every kind of change', async () => {
  let invoiced = 0;
  let charged = 0;
  /** What a change adds to the invoices, what it charges, and what the plan card then names. */
  const expectTotals = async (change: string, cents: number, monthly: number, paidCents = cents) => {
    invoiced += cents;
    charged += paidCents;
    const found = await totals();
    expect({ change, ...found }).toMatchObject({
      change,
      card: monthly,
      listed: invoiced,
      listedAsPaid: charged,
      charged,
      invoiced,
    });
    expect([change, found.ledgerCredits]).toEqual([change, found.listedCredits]);
  };
  const setBalance = (balance: number) => shop.stripe.customers.update(jane.customerId, { balance });
  const newestEntry = async () => (await jane.history()).at(-1);
  const newestCharge = async () =>
    (await shop.stripe.charges.list({ customer: jane.customerId, limit: 1 })).data[0]?.id ?? '';
  /** The bank disputes the newest charge, a moment after it. */
  const dispute = async () => {
    await shop.payments.clock.advanceTo(new Date(shop.now().getTime() + 60_000));
    await shop.payments.webhooks.settled();
    return (await shop.stripe.disputes.list({ charge: await newestCharge() })).data[0]?.id ?? '';
  };

  await jane.upgradeTo('2K');
  await expectTotals('first plan', 700, 700);
  await jane.upgradeTo('10K');
  await expectTotals('larger plan', 3_000, 3_000);
  await shop.advanceTo('2026-03-02T10:00:00Z');
  await expectTotals('renewal', 3_000, 3_000);
  await (await jane.orderPack('50K')).pay();
  await expectTotals('pack', 12_500, 3_000);
  await jane.useCard('pm_card_chargeCustomerFail');
  await expect(jane.upgradeTo('250K')).rejects.toThrow('declined');
  await expectTotals('larger plan, declined', 0, 3_000);
  await jane.useCard('pm_card_visa');

  await jane.downgradeTo('2K');
  await expectTotals('scheduled smaller plan', 0, 3_000);
  await shop.advanceTo('2026-04-02T10:00:00Z');
  await expectTotals('smaller plan', 700, 700);

  const settings = { is_on: true, below: 1_000_000, pack: '2K', monthly_cap_in_cents: 700 };
  const token = await jane.token();
  await shop.api.call('PUT', '/billing/me/automatic_top_up', { token, body: settings });
  await topUpBalances(shop.parts, new AbortController().signal);
  await shop.payments.webhooks.settled();
  const newest = await shop.api.call('GET', '/billing/me/invoices?page_size=2', { token });
  expect(newest.json().results).toMatchObject([
    { kind: 'pack', has_pdf: true },
    { kind: 'plan', has_pdf: true },
  ]);
  await expectTotals('automatic top-up', 700, 700);
  await shop.api.call('PUT', '/billing/me/automatic_top_up', { token, body: { ...settings, is_on: false } });

  // A month later, when the schedule of the smaller plan has ended.
  await shop.advanceTo('2026-05-03T10:00:00Z');
  await expectTotals('renewal of the smaller plan', 700, 700);
  await jane.useCard('pm_card_chargeCustomerFail');
  await shop.advanceTo('2026-06-03T10:00:00Z');
  await expectTotals('renewal that fails', 0, 700);
  await jane.useCard('pm_card_visa');
  await shop.advanceTo('2026-06-20T10:00:00Z');
  await expectTotals('renewal that is paid late', 700, 700);
  await shop.stripe.refunds.create({ charge: await newestCharge(), amount: 350 });
  await shop.payments.webhooks.settled();
  // A refund takes credits back and changes no invoice.
  await expectTotals('refund', 0, 700);
  expect(await newestEntry()).toMatchObject({ category: 'REFUND', amount: -1_000 });
  await jane.cancelAtMonthsEnd();
  await shop.advanceTo('2026-07-20T10:00:00Z');
  await expectTotals('cancellation', 0, 0);

  await jane.useCard('pm_card_createDispute');
  await jane.upgradeTo('2K');
  const lost = await dispute();
  await expectTotals('plan that the bank disputes', 700, 700);
  expect(await jane.wallet()).toMatchObject({ frozen: 2_000 });
  await shop.stripe.disputes.close(lost);
  await shop.payments.webhooks.settled();
  await expectTotals('chargeback that we lose', 0, 700);
  expect(await newestEntry()).toMatchObject({ category: 'REFUND', amount: -2_000 });
  expect(await jane.wallet()).toMatchObject({ frozen: 0 });
  await (await jane.orderPack('10K')).pay('4000000000000259');
  const won = await dispute();
  await expectTotals('pack that the bank disputes', 3_000, 700);
  await shop.stripe.disputes.update(won, { evidence: { uncategorized_text: 'winning_evidence' } });
  await shop.payments.webhooks.settled();
  await expectTotals('chargeback that we win', 0, 700);
  expect(await newestEntry()).toMatchObject({ category: 'REFUND', amount: 10_000 });

  await jane.useCard('pm_card_visa');
  await setBalance(-300);
  await shop.advanceTo('2026-08-21T10:00:00Z');
  await expectTotals('renewal that a balance pays in part', 700, 700, 400);
  await shop.stripe.refunds.create({ charge: await newestCharge() });
  await shop.payments.webhooks.settled();
  await expectTotals('refund of what the card paid', 0, 700);
  // Of 2,000 credits for $7.00, those for $4.00.
  expect(await newestEntry()).toMatchObject({ category: 'REFUND', amount: -1_142 });
  await setBalance(-700);
  await shop.advanceTo('2026-09-21T10:00:00Z');
  await expectTotals('renewal that a balance pays', 700, 700, 0);
  await setBalance(500);
  await shop.advanceTo('2026-10-21T10:00:00Z');
  await expectTotals('renewal with a debt from before', 700, 700, 1_200);
  await shop.stripe.refunds.create({ charge: await newestCharge() });
  await shop.payments.webhooks.settled();
  await expectTotals('refund with the debt', 0, 700);
  expect(await newestEntry()).toMatchObject({ category: 'REFUND', amount: -2_000 });

  await jane.useCard('pm_card_chargeCustomerFail');
  await shop.advanceTo('2026-11-21T10:00:00Z');
  await expectTotals('renewal in its grace period', 0, 700);
  await shop.advanceTo('2026-12-20T10:00:00Z');
  await expectTotals('end of the grace period', 0, 0);
  expect(await shop.audit()).toEqual([]);
});
