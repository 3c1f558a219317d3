import { CREDIT_PACKS } from '@assay/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RemotePayment } from './payments-gateway.ts';
import { grantPack } from './purchases.ts';
import { openPaidShop, type PaidShop, type Subscriber } from './testing/paid-shop.ts';
import { tier } from './testing/remote-state.ts';

describe('credit packs', () => {
  let shop: PaidShop;
  let jane: Subscriber;

  beforeEach(async () => {
    shop = await openPaidShop();
    jane = await shop.signUp();
  });
  afterEach(async () => {
    expect(await shop.audit()).toEqual([]);
    await shop.close();
  });

  const confirm = async (checkoutId: string, customer = jane) =>
    shop.api.call('POST', `/billing/me/packs/${checkoutId}/confirmation`, { token: await customer.token() });
  const balance = async () => (await jane.wallet()).balance;
  const openCheckouts = async () =>
    (await shop.api.database.pool.query('select checkout_reference from pack_checkouts')).rows.length;
  const later = (hours: number) =>
    shop.payments.clock.advanceTo(new Date(shop.now().getTime() + hours * 3_600_000));

  it('§9 Plan tiers: a pack costs what the tier of its size costs', async () => {
    for (const { code, monthlyCostCents, monthlyCredits } of CREDIT_PACKS) {
      const before = await balance();
      await (await jane.orderPack(code)).pay();
      const [charge] = (await shop.stripe.charges.list({ customer: jane.customerId, limit: 1 })).data;

      expect([code, charge?.amount]).toEqual([code, monthlyCostCents]);
      expect(await balance()).toBe(before + monthlyCredits);
    }
    expect(CREDIT_PACKS.map(({ code }) => code)).toEqual(['2K', '10K', '50K', '250K', '500K', '1M']);
  });

  it('the event adds the credits once, with an entry of their own type and an invoice of the same total', async () => {
    const order = await jane.orderPack('10K');
    expect(await order.pay()).toBe(303);

    expect(await balance()).toBe(11_000);
    const entry = (await jane.history()).at(-1);
    expect(entry).toMatchObject({
      category: 'PACK',
      source: 'CHECKOUT',
      description: '10K credit pack',
      amount: 10_000,
      invoice_id: expect.stringMatching(/^pi_/),
    });
    const [event] = (await shop.stripe.events.list({ type: 'payment_intent.succeeded' })).data;
    await shop.payments.webhooks.resend(event?.id ?? '');
    expect((await confirm(order.checkoutId)).json()).toEqual({ is_paid: true, credits: 10_000 });
    expect(await balance()).toBe(11_000);

    const [invoice] = (await shop.stripe.invoices.list({ customer: jane.customerId, limit: 1 })).data;
    expect(invoice).toMatchObject({ total: 3_000, amount_paid: 3_000, status: 'paid' });
    const page = await shop.api.call('GET', `/billing/me/invoices/${entry?.invoice_id}`, {
      token: await jane.token(),
    });
    expect(page.json()).toEqual({
      invoice_url: invoice?.hosted_invoice_url,
      pdf_url: invoice?.invoice_pdf,
    });
    expect((await jane.wallet()).subscription.plan.code).toBe('FREE');
  });

  it('the return adds the credits before the event does; both at once, and many times, add them once', async () => {
    await shop.payments.webhooks.pause();
    const order = await jane.orderPack('2K');
    expect((await confirm(order.checkoutId)).json()).toEqual({ is_paid: false, credits: 0 });
    await order.pay();
    expect(await balance()).toBe(1_000);

    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => confirm(order.checkoutId)),
      shop.payments.webhooks.resume(),
    ]);

    expect(answers.filter((answer) => answer && answer.statusCode !== 200)).toEqual([]);
    expect(await balance()).toBe(3_000);
    expect(await openCheckouts()).toBe(0);
  });

  it('a payment whose event is lost and whose customer does not come back is found within hours', async () => {
    const order = await jane.orderPack('2K');
    await shop.payments.webhooks.pause();
    await order.pay();
    await shop.catchUp();
    expect(await balance()).toBe(1_000);

    await later(2);
    await shop.catchUp();
    await shop.catchUp();

    expect(await balance()).toBe(3_000);
    expect(await openCheckouts()).toBe(0);
  });

  it('a lost payment counts for an account whose customer was replaced since, by the return and by itself', async () => {
    const [returning, leaving] = [await jane.orderPack('2K'), await jane.orderPack('2K')];
    await shop.payments.webhooks.pause();
    await returning.pay();
    await leaving.pay();
    await shop.stripe.customers.del(jane.customerId);
    await shop.api.database.pool.query(
      `insert into former_customers (customer_reference, owner_id) select customer_reference, owner_id from subscriptions`,
    );
    await shop.api.database.pool.query('update subscriptions set customer_reference = null');

    expect((await confirm(returning.checkoutId)).json()).toEqual({ is_paid: true, credits: 2_000 });
    await later(2);
    await shop.catchUp();

    expect(await balance()).toBe(5_000);
    expect(await openCheckouts()).toBe(0);
  });

  it('an abandoned checkout is asked about twice and then forgotten', async () => {
    await jane.orderPack('2K');
    const stops: number[] = [];
    for (const hours of [2, 10, 16]) {
      await later(hours);
      await shop.catchUp();
      stops.push(await openCheckouts());
    }

    expect(stops).toEqual([1, 1, 0]);
    expect(await balance()).toBe(1_000);
  });

  it('two checkouts that are open in two tabs are two purchases, each once', async () => {
    const tabs = [await jane.orderPack('2K'), await jane.orderPack('10K')];

    await Promise.all(tabs.map((tab) => tab.pay()));
    await Promise.all(tabs.map((tab) => confirm(tab.checkoutId)));

    expect((await jane.wallet()).balance).toBe(1_000 + 2_000 + 10_000);
  });

  it('a declined card buys nothing, and the same checkout takes another one', async () => {
    const order = await jane.orderPack('2K');

    expect(await order.pay('4000000000000002')).toBe(402);
    expect((await confirm(order.checkoutId)).json()).toEqual({ is_paid: false, credits: 0 });
    expect(await balance()).toBe(1_000);
    expect(await order.pay()).toBe(303);
    expect(await balance()).toBe(3_000);
  });

  it("404 for another customer's checkout and for one that is not there; 400 for one that cannot be", async () => {
    const order = await jane.orderPack('2K');
    await order.pay();
    const max = await shop.signUp();

    for (const [id, status, code] of [
      [order.checkoutId, 404, 'checkout_not_found'],
      ['cs_test_none', 404, 'checkout_not_found'],
      ['pi_1', 400, 'invalid_request'],
    ] as const) {
      const answer = await confirm(id, max);
      expect([id, answer.statusCode, answer.json().errors[0].code]).toEqual([id, status, code]);
    }
    expect((await max.wallet()).balance).toBe(1_000);
  });

  it('400 for a pack that is not in the price list', async () => {
    for (const pack of ['FREE', '3K', '']) {
      const token = await jane.token();
      const answer = await shop.api.call('POST', '/billing/me/packs', { token, body: { pack } });
      expect([pack, answer.statusCode]).toEqual([pack, 400]);
    }
  });

  it('a refund takes its share back, whichever of payment and refund is heard of first', async () => {
    await shop.payments.webhooks.pause();
    await (await jane.orderPack('10K')).pay();
    const [charge] = (await shop.stripe.charges.list({ customer: jane.customerId, limit: 1 })).data;
    await shop.stripe.refunds.create({ charge: charge?.id ?? '', amount: 1_000 });
    await shop.payments.webhooks.resume({ arrange: (events) => events.toReversed() });

    expect(await balance()).toBe(1_000 + 10_000 - 3_333);
    expect((await jane.history()).at(-1)).toMatchObject({
      category: 'REFUND',
      source: 'CHECKOUT',
      description: 'Refund of the 10K credit pack',
      amount: -3_333,
    });
  });

  describe('a chargeback', () => {
    const cardOfDisputer = '4000000000000259';
    const dispute = async (words?: 'winning_evidence' | 'losing_evidence') => {
      const [charge] = (await shop.stripe.charges.list({ customer: jane.customerId, limit: 1 })).data;
      const [found] = (await shop.stripe.disputes.list({ charge: charge?.id ?? '' })).data;
      if (words)
        await shop.stripe.disputes.update(found?.id ?? '', { evidence: { uncategorized_text: words } });
      await shop.payments.webhooks.settled();
    };
    const state = async () => {
      const wallet = await jane.wallet();
      return { balance: wallet.balance, frozen: wallet.frozen };
    };
    const repeatEvents = async () => {
      for (const { id } of (await shop.stripe.events.list({ limit: 100 })).data) {
        await shop.payments.webhooks.resend(id);
      }
    };

    it('freezes the unspent credits of the pack, and gives them back when it is won', async () => {
      await (await jane.orderPack('2K')).pay(cardOfDisputer);
      await jane.spend(1_200);
      await later(1);
      await repeatEvents();

      expect(await state()).toEqual({ balance: 0, frozen: 1_800 });
      expect((await jane.history()).at(-1)).toMatchObject({
        category: 'REFUND',
        description: 'Disputed payment of the 2K credit pack',
        amount: -1_800,
      });
      await dispute('winning_evidence');
      await repeatEvents();
      expect(await state()).toEqual({ balance: 1_800, frozen: 0 });
    });

    it('freezes no credits that the customer did not buy, none on hold, and none below zero', async () => {
      await (await jane.orderPack('2K')).pay(cardOfDisputer);
      await jane.spend(2_900);
      await shop.advanceTo('2026-02-01T10:00:00Z');
      expect(await state()).toEqual({ balance: 0, frozen: 100 });

      await dispute('losing_evidence');
      await repeatEvents();
      expect(await state()).toEqual({ balance: 0, frozen: 0 });
    });

    it('that is decided before we hear of it freezes nothing', async () => {
      await shop.payments.webhooks.pause();
      await (await jane.orderPack('2K')).pay(cardOfDisputer);
      await later(1);
      await dispute('winning_evidence');
      await shop.payments.webhooks.resume({ arrange: (events) => events.toReversed() });

      expect(await state()).toEqual({ balance: 3_000, frozen: 0 });
    });
  });

  it('a checkout that is paid after the price rose adds its credits', async () => {
    await (await jane.orderPack('2K')).pay();
    const [intent] = (await shop.stripe.paymentIntents.list({ limit: 1 })).data;
    expect(intent?.metadata).toEqual({ assay_pack: '2K', assay_pack_cents: '700' });

    const payment = await shop.parts.gateway.findPayment(intent?.id ?? '');
    const raised = { ...tier('2K'), monthlyCostCents: 800 };
    const isGranted = await shop.api.database.db.transaction().execute((tx) =>
      grantPack(tx, {
        ownerId: jane.ownerId,
        payment: { ...(payment as RemotePayment), id: 'pi_later', pack: raised },
        now: shop.now(),
      }),
    );
    expect(isGranted).toBe(true);
  });

  it.each([
    ['unpaid', { isPaid: false }],
    ['below its price', { paidCents: 699 }],
    ['below what it cost when the payment was opened', { paidCents: 700, priceCents: 800 }],
    ['for something else', { pack: undefined }],
  ])('a payment that is %s adds nothing', async (_, changes) => {
    const payment = {
      id: 'pi_1',
      customerId: jane.customerId,
      isPaid: true,
      paidCents: 700,
      priceCents: 700,
      paidAt: shop.now(),
    };
    const order = { ...payment, pack: tier('2K'), orderId: null, ...changes };

    const isGranted = await shop.api.database.db
      .transaction()
      .execute((tx) => grantPack(tx, { ownerId: jane.ownerId, payment: order, now: shop.now() }));

    expect(isGranted).toBe(false);
    expect(await balance()).toBe(1_000);
  });
});
