import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { paidWork } from '../paid-work.ts';
import { catchUpPayments } from './maintain-payments.ts';
import { type PaymentsGateway, PaymentsRefused } from './payments-gateway.ts';
import { syncAllCustomers } from './sync-all-customers.ts';
import { openPaidShop, type PaidShop, type Subscriber } from './testing/paid-shop.ts';

describe('a reversed payment', () => {
  let shop: PaidShop;

  beforeEach(async () => {
    shop = await openPaidShop();
  });
  afterEach(async () => {
    expect(await shop.audit()).toEqual([]);
    await shop.close();
  });

  const aMinuteLater = () => shop.payments.clock.advanceTo(new Date(shop.now().getTime() + 60_000));
  /** Work of this customer with its full cost on hold. */
  const start = async ({ ownerId }: Subscriber, credits: number) => {
    const work = paidWork({ kind: 'list', ownerId, id: crypto.randomUUID() });
    const inTx = (run: (tx: Tx) => Promise<void>) => shop.api.database.db.transaction().execute(run);
    await inTx((tx) => work.hold(tx, credits, shop.now()));
    return {
      settle: (due: number) => inTx((tx) => work.settle(tx, due, shop.now())),
      release: () => inTx((tx) => work.release(tx, shop.now())),
    };
  };

  describe('a refund', () => {
    const refund = async (invoiceId: string, amount?: number) => {
      const [payment] = (await shop.stripe.invoicePayments.list({ invoice: invoiceId })).data;
      await shop.stripe.refunds.create({
        payment_intent: String(payment?.payment.payment_intent),
        ...(amount && { amount }),
      });
      await shop.payments.webhooks.settled();
    };

    it('takes its credits back, also in parts, with entries in the history', async () => {
      const jane = await shop.signUp({ card: 'pm_card_visa' });
      await jane.upgradeTo('10K');
      const invoiceId = (await jane.history()).at(-1)?.invoice_id ?? '';

      await refund(invoiceId, 1_000);
      expect((await jane.wallet()).balance).toBe(1_000 + 10_000 - 3_333);
      await refund(invoiceId);

      expect((await jane.wallet()).balance).toBe(1_000 + 10_000 - 3_333 - 6_666);
      expect((await jane.history()).at(-1)).toMatchObject({
        category: 'REFUND',
        source: 'SUBSCRIPTION',
        description: 'Refund of the 10K plan',
        amount: -6_666,
        invoice_id: invoiceId,
      });
    });

    const boughtIn = async (jane: Subscriber) =>
      (await jane.history()).find(({ category }) => category === 'PURCHASE')?.invoice_id ?? '';

    it('takes at most the credits that are not spent, those on hold when their work gives them back, and no others', async () => {
      const jane = await shop.signUp({ card: 'pm_card_visa' });
      await jane.upgradeTo('2K');
      await jane.spend(1_500);
      const list = await start(jane, 1_200);
      const invoiceId = await boughtIn(jane);
      await aMinuteLater();

      await refund(invoiceId);
      expect((await jane.wallet()).balance).toBe(0);
      expect((await jane.history()).at(-1)).toMatchObject({ amount: -300, balance_after: 1_200 });

      await jane.upgradeTo('10K');
      const [event] = (await shop.stripe.events.list({ type: 'charge.refunded' })).data;
      await shop.payments.webhooks.resend(event?.id ?? '');
      expect((await jane.wallet()).balance).toBe(10_000);

      await list.settle(200);
      expect((await jane.history()).at(-1)).toMatchObject({
        category: 'REFUND',
        description: 'Refund of the 2K plan',
        amount: -1_000,
        balance_after: 10_000,
        invoice_id: invoiceId,
      });
      expect(await jane.wallet()).toMatchObject({ balance: 10_000, held: 0, frozen: 0 });
    });

    it('leaves no credits to a customer who holds them all, is refunded in parts and deletes the work', async () => {
      const jane = await shop.signUp({ card: 'pm_card_visa' });
      await jane.upgradeTo('2K');
      const list = await start(jane, 3_000);
      const invoiceId = await boughtIn(jane);
      await aMinuteLater();

      await refund(invoiceId, 350);
      await refund(invoiceId);
      expect(await jane.wallet()).toMatchObject({ balance: 0, held: 3_000 });
      await list.release();

      expect(await jane.wallet()).toMatchObject({ balance: 1_000, held: 0, frozen: 0 });
    });

    it('that fails claims nothing any more, and gives back what it took of returned holds', async () => {
      const jane = await shop.signUp({ card: 'pm_card_refundFail' });
      await jane.upgradeTo('2K');
      const [list, single] = [await start(jane, 1_500), await start(jane, 1_500)];
      await aMinuteLater();
      await refund(await boughtIn(jane));
      await list.release();
      expect((await jane.wallet()).balance).toBe(0);

      await aMinuteLater();
      expect((await jane.wallet()).balance).toBe(1_500);
      await single.release();
      expect(await jane.wallet()).toMatchObject({ balance: 3_000, held: 0 });
    });
  });

  it('counts for an account whose customer was replaced, and stops its automatic top-up', async () => {
    const jane = await shop.signUp({ card: 'pm_card_createDispute' });
    await (await jane.orderPack('2K')).pay('4000000000000259');
    await shop.stripe.customers.del(jane.customerId);
    await shop.payments.webhooks.settled();
    await shop.maintain();
    const { customerReference } = await jane.account();
    expect(customerReference).not.toBe(jane.customerId);

    await shop.payments.clock.advanceTo(new Date(shop.now().getTime() + 60_000));
    await shop.payments.webhooks.settled();

    expect(await jane.wallet()).toMatchObject({ balance: 1_000, frozen: 2_000 });
    expect((await jane.account()).customerReference).toBe(customerReference);
  });

  it('is found after a restore from a backup that was taken before it: refunds, a failed one and a dispute', async () => {
    const refunded = await shop.signUp({ card: 'pm_card_visa' });
    const failed = await shop.signUp({ card: 'pm_card_refundFail' });
    const disputed = await shop.signUp({ card: 'pm_card_createDispute' });
    const all = [refunded, failed, disputed];
    const balances = () => Promise.all(all.map(async (one) => (await one.wallet()).balance));
    for (const one of all.slice(0, 2)) await one.upgradeTo('2K');
    const refund = async ({ customerId }: Subscriber) => {
      const [charge] = (await shop.stripe.charges.list({ customer: customerId, limit: 1 })).data;
      await shop.stripe.refunds.create({ charge: charge?.id ?? '' });
    };
    // In the backup this refund has taken its credits. It fails later.
    await refund(failed);
    await shop.payments.webhooks.settled();
    expect(await balances()).toEqual([3_000, 1_000, 1_000]);
    await shop.payments.webhooks.pause();
    await disputed.upgradeTo('2K');
    await refund(refunded);
    await shop.payments.clock.advanceTo(new Date(shop.now().getTime() + 60_000));

    await syncAllCustomers({ db: shop.api.database.db, queue: shop.api.queue });
    await shop.catchUp();

    expect(await balances()).toEqual([1_000, 3_000, 1_000]);
    expect((await disputed.wallet()).frozen).toBe(2_000);
    expect((await disputed.account()).needsSync).toBe(false);
    await shop.payments.webhooks.resume();
    expect(await balances()).toEqual([1_000, 3_000, 1_000]);
  });

  it('is found after a restore also if its customer was replaced since, and while there is no new one yet', async () => {
    const balanceAfterCatchUp = async (jane: Subscriber) => {
      await syncAllCustomers({ db: shop.api.database.db, queue: shop.api.queue });
      await shop.catchUp();
      return (await jane.wallet()).balance;
    };
    const refundHalf = async ({ customerId }: Subscriber) => {
      const [charge] = (await shop.stripe.charges.list({ customer: customerId, limit: 1 })).data;
      await shop.stripe.refunds.create({ charge: charge?.id ?? '', amount: 350 });
    };
    const jane = await shop.signUp();
    await (await jane.orderPack('2K')).pay();
    await shop.stripe.customers.del(jane.customerId);
    await shop.payments.webhooks.settled();
    expect((await jane.account()).customerReference).toBeNull();
    await shop.payments.webhooks.pause();
    await refundHalf(jane);
    expect(await balanceAfterCatchUp(jane)).toBe(2_000);

    await shop.payments.webhooks.resume();
    await shop.maintain();
    expect((await jane.account()).customerReference).not.toBeNull();
    await shop.payments.webhooks.pause();
    await refundHalf(jane);
    expect(await balanceAfterCatchUp(jane)).toBe(1_000);
    expect((await jane.account()).needsSync).toBe(false);
    await shop.payments.webhooks.resume();
  });

  it('that Stripe does not tell of a former customer does not stop the catch-up of the present one', async () => {
    const jane = await shop.signUp();
    await shop.stripe.customers.del(jane.customerId);
    await shop.payments.webhooks.settled();
    await shop.maintain();
    await syncAllCustomers({ db: shop.api.database.db, queue: shop.api.queue });
    const { gateway } = shop.parts;
    const findReversedChargeIds: PaymentsGateway['findReversedChargeIds'] = async (order) => {
      if (order.customerId === jane.customerId) throw new PaymentsRefused('Stripe refused.');
      return gateway.findReversedChargeIds(order);
    };
    const parts = { ...shop.parts, gateway: { ...gateway, findReversedChargeIds } };
    await catchUpPayments(parts, new AbortController().signal);
    expect((await jane.account()).needsSync).toBe(false);
  });

  describe('that is undone', () => {
    const lastRow = async (jane: Subscriber) => (await jane.history()).at(-1);
    const disputeOf = async ({ customerId }: Subscriber) => {
      const [charge] = (await shop.stripe.charges.list({ customer: customerId, limit: 1 })).data;
      const [dispute] = (await shop.stripe.disputes.list({ charge: charge?.id ?? '' })).data;
      return dispute?.id ?? '';
    };

    const winDispute = async (disputeId: string) => {
      await shop.stripe.disputes.update(disputeId, {
        evidence: { uncategorized_text: 'winning_evidence' },
      });
      await shop.payments.webhooks.settled();
    };

    it('a disputed payment takes its credits; a dispute that is lost changes nothing more', async () => {
      const jane = await shop.signUp({ card: 'pm_card_createDispute' });
      await jane.upgradeTo('10K');
      await aMinuteLater();

      expect(await jane.wallet()).toMatchObject({ balance: 1_000, subscription: { plan: { code: '10K' } } });
      expect(await lastRow(jane)).toMatchObject({
        category: 'REFUND',
        description: 'Disputed payment of the 10K plan',
        amount: -10_000,
      });
      await shop.stripe.disputes.close(await disputeOf(jane));
      await shop.payments.webhooks.settled();
      expect((await jane.wallet()).balance).toBe(1_000);
    });

    it('a dispute that we win gives back what it took, once, also for repeated events', async () => {
      const jane = await shop.signUp({ card: 'pm_card_createDispute' });
      await jane.upgradeTo('2K');
      await jane.spend(2_500);
      await aMinuteLater();
      expect((await jane.wallet()).balance).toBe(0);

      await winDispute(await disputeOf(jane));
      const events = (await shop.stripe.events.list({ type: 'charge.dispute.created', limit: 1 })).data;
      for (const event of events) await shop.payments.webhooks.resend(event.id);

      expect((await jane.wallet()).balance).toBe(500);
      expect(await lastRow(jane)).toMatchObject({
        description: 'Disputed payment of the 2K plan was confirmed',
        amount: 500,
      });
    });

    it('a dispute freezes credits on hold when their work gives them back, no others, and returns them if we win', async () => {
      const jane = await shop.signUp({ card: 'pm_card_createDispute' });
      await jane.upgradeTo('2K');
      const [list, single] = [await start(jane, 2_400), await start(jane, 100)];
      await aMinuteLater();
      const disputeId = await disputeOf(jane);
      expect(await jane.wallet()).toMatchObject({ balance: 0, held: 2_500, frozen: 500 });

      // Other credits, and work that starts with them: not disputed.
      await (await jane.orderPack('2K')).pay();
      const later = await start(jane, 700);
      await later.release();
      expect(await jane.wallet()).toMatchObject({ balance: 2_000, frozen: 500 });

      await list.settle(1_000);
      expect(await lastRow(jane)).toMatchObject({
        category: 'REFUND',
        description: 'Disputed payment of the 2K plan',
        amount: -1_400,
      });
      await list.settle(1_000);
      await single.release();
      expect(await jane.wallet()).toMatchObject({ balance: 2_000, held: 0, frozen: 2_000 });

      await winDispute(disputeId);
      expect(await jane.wallet()).toMatchObject({ balance: 4_000, frozen: 0 });
    });

    it('credits on hold are not frozen any more after a dispute that we won', async () => {
      const jane = await shop.signUp({ card: 'pm_card_createDispute' });
      await jane.upgradeTo('2K');
      const list = await start(jane, 3_000);
      await aMinuteLater();
      await winDispute(await disputeOf(jane));
      await list.release();

      expect(await jane.wallet()).toMatchObject({ balance: 3_000, frozen: 0 });
    });

    it('a dispute that opens while work is settled freezes the same credits in any order', async () => {
      for (let round = 0; round < 5; round += 1) {
        const jane = await shop.signUp({ card: 'pm_card_createDispute' });
        await jane.upgradeTo('2K');
        const works = [];
        for (let count = 0; count < 10; count += 1) works.push(await start(jane, 300));
        await shop.payments.webhooks.pause();
        await aMinuteLater();

        const events = shop.payments.webhooks.resume();
        await Promise.all(works.map((work, at) => (at % 2 ? work.release() : work.settle(200))));
        await events;
        await shop.payments.webhooks.settled();

        // 1,000 of 3,000 were spent, at first those that were not bought.
        expect(await jane.wallet()).toMatchObject({ balance: 0, held: 0, frozen: 2_000 });
      }
    });

    it('a failed refund gives back what it took, and the next refund takes it again', async () => {
      const jane = await shop.signUp({ card: 'pm_card_refundFail' });
      await jane.upgradeTo('2K');
      const [charge] = (await shop.stripe.charges.list({ customer: jane.customerId, limit: 1 })).data;
      const refund = async () => {
        await shop.stripe.refunds.create({ charge: charge?.id ?? '' });
        await shop.payments.webhooks.settled();
        return (await jane.wallet()).balance;
      };

      expect(await refund()).toBe(1_000);
      await aMinuteLater();
      expect((await jane.wallet()).balance).toBe(3_000);
      expect(await lastRow(jane)).toMatchObject({ description: 'Refund of the 2K plan did not go through' });
      expect(await refund()).toBe(1_000);
    });

    it('in whatever order it is heard of: a failure first, and the refund finds nothing to take', async () => {
      const jane = await shop.signUp({ card: 'pm_card_refundFail' });
      await jane.upgradeTo('2K');
      const [charge] = (await shop.stripe.charges.list({ customer: jane.customerId, limit: 1 })).data;
      await shop.payments.webhooks.pause();
      await shop.stripe.refunds.create({ charge: charge?.id ?? '' });
      await aMinuteLater();
      await shop.payments.webhooks.resume({ arrange: (events) => events.toReversed() });

      expect((await jane.wallet()).balance).toBe(3_000);
      expect(await shop.audit()).toEqual([]);
    });
  });
});
