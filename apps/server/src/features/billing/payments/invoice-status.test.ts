import type { Invoice } from '@assay/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPaidShop, type PaidShop, type Subscriber } from './testing/paid-shop.ts';

let shop: PaidShop;
beforeEach(async () => {
  shop = await openPaidShop();
});
afterEach(async () => {
  expect(await shop.audit()).toEqual([]);
  await shop.close();
});

const listed = async (jane: Subscriber): Promise<Invoice[]> =>
  (await shop.api.call('GET', '/billing/me/invoices', { token: await jane.token() })).json().results;
const aMinuteLater = () => shop.payments.clock.advanceTo(new Date(shop.now().getTime() + 60_000));
const dayMs = 86_400_000;

/** As the portal may do it: the plan changes at the provider although its payment failed. */
async function upgradeUnpaid(jane: Subscriber, plan: '50K' | '250K'): Promise<void> {
  const { subscriptionReference } = await jane.account();
  const subscription = await shop.stripe.subscriptions.retrieve(subscriptionReference ?? '');
  await shop.stripe.subscriptions.update(subscription.id, {
    items: [{ id: subscription.items.data[0]?.id ?? '', price: await shop.priceOf(plan) }],
    proration_behavior: 'none',
    billing_cycle_anchor: { type: 'now' },
    payment_behavior: 'allow_incomplete',
  });
  await shop.payments.webhooks.settled();
}

describe('an invoice that is not paid', () => {
  it('after an upgrade: the wallet says the amount, its plan and until when; the list has it as open, with a page to pay it', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('50K');
    await jane.useCard('pm_card_chargeCustomerFail');
    await aMinuteLater();
    await upgradeUnpaid(jane, '250K');

    const { subscription } = await jane.wallet();
    expect(subscription).toMatchObject({
      status: 'past_due',
      plan: { code: '50K' },
      owed: {
        amount_in_cents: 50_000,
        plan: { code: '250K', monthly_cost_in_cents: 50_000 },
        until: new Date(shop.now().getTime() + shop.parts.graceDays * dayMs).toISOString(),
      },
    });
    const [open, paid] = await listed(jane);
    expect(open).toMatchObject({
      id: subscription.owed?.invoice_id,
      code: '250K',
      status: 'open',
      total_in_cents: 50_000,
      paid_in_cents: 0,
      paid_date: null,
    });
    expect(paid).toMatchObject({ code: '50K', status: 'paid' });
    const page = await shop.api.call('GET', `/billing/me/invoices/${open?.id}`, {
      token: await jane.token(),
    });
    expect(await (await fetch(page.json().invoice_url)).text()).toContain('Pay this invoice');

    const log = await shop.api.call('GET', '/users/me/activity?area=plan', { token: await jane.token() });
    const failures = log
      .json()
      .results.filter(({ kind }: { kind: string }) => kind === 'plan.payment_failed');
    expect(failures.map(({ about }: { about: string }) => about)).toEqual(['$500.00']);

    await jane.useCard('pm_card_visa');
    await shop.stripe.invoices.pay(open?.id ?? '');
    await shop.payments.webhooks.settled();
    expect((await jane.wallet()).subscription).toMatchObject({
      status: 'active',
      plan: { code: '250K' },
      owed: null,
    });
    expect((await listed(jane)).map(({ code, status }) => [code, status])).toEqual([
      ['250K', 'paid'],
      ['50K', 'paid'],
    ]);
  });

  it('is not shown to another customer', async () => {
    const jane = await shop.signUp({ card: 'pm_card_chargeCustomerFail' });
    await upgradeUnpaid(jane, '50K');
    const joe = await shop.signUp();
    const id = (await jane.wallet()).subscription.owed?.invoice_id;

    expect(await listed(joe)).toEqual([]);
    const answer = await shop.api.call('GET', `/billing/me/invoices/${id}`, { token: await joe.token() });
    expect(answer.statusCode).toBe(404);
  });
});

describe('the status of a paid invoice', () => {
  it('is refunded, with how much, after a refund in parts, and paid again if the refund fails', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('50K');
    const [invoice] = await listed(jane);
    const [payment] = (await shop.stripe.invoicePayments.list({ invoice: invoice?.id ?? '' })).data;
    const refund = async (amount: number) => {
      await shop.stripe.refunds.create({ payment_intent: String(payment?.payment.payment_intent), amount });
      await shop.payments.webhooks.settled();
    };
    expect(invoice).toMatchObject({ status: 'paid', refunded_in_cents: 0 });

    await refund(2_500);
    expect(await listed(jane)).toMatchObject([{ status: 'refunded', refunded_in_cents: 2_500 }]);
    await refund(10_000);
    expect(await listed(jane)).toMatchObject([
      { status: 'refunded', refunded_in_cents: 12_500, total_in_cents: 12_500 },
    ]);
  });

  it('is paid again if the refund does not reach the card', async () => {
    const jane = await shop.signUp({ card: 'pm_card_refundFail' });
    await jane.upgradeTo('2K');
    const [invoice] = await listed(jane);
    const [payment] = (await shop.stripe.invoicePayments.list({ invoice: invoice?.id ?? '' })).data;
    await shop.stripe.refunds.create({ payment_intent: String(payment?.payment.payment_intent) });
    await shop.payments.webhooks.settled();
    expect(await listed(jane)).toMatchObject([{ status: 'refunded' }]);

    await shop.payments.clock.advanceTo(new Date(shop.now().getTime() + 3 * dayMs));
    await shop.payments.webhooks.settled();
    expect(await listed(jane)).toMatchObject([{ status: 'paid', refunded_in_cents: 0 }]);
  });

  it('is disputed while a bank examines the payment, and paid after a dispute that we win', async () => {
    const jane = await shop.signUp({ card: 'pm_card_createDispute' });
    await jane.upgradeTo('2K');
    await aMinuteLater();
    expect(await listed(jane)).toMatchObject([{ status: 'disputed' }]);

    const [charge] = (await shop.stripe.charges.list({ customer: jane.customerId, limit: 1 })).data;
    const [dispute] = (await shop.stripe.disputes.list({ charge: charge?.id ?? '' })).data;
    await shop.stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    await shop.payments.webhooks.settled();
    expect(await listed(jane)).toMatchObject([{ status: 'paid' }]);
  });
});
