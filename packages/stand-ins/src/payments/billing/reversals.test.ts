import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { openShop, type Shop, seedCatalog, seedCustomer } from '../testing/shop.ts';

async function payWith(card: string): Promise<{ shop: Shop; charge: Stripe.Charge }> {
  const shop = await openShop();
  const catalog = await seedCatalog(shop);
  const customer = await seedCustomer(shop, card);
  await shop.stripe.subscriptions.create({ customer, items: [{ price: catalog['10K'] }] });
  const [charge] = (await shop.stripe.charges.list({ customer })).data;
  if (!charge) throw new Error('nothing was charged');
  return { shop, charge };
}

const aMinuteLater = ({ payments }: Shop) =>
  payments.clock.advanceTo(new Date(payments.clock.now().getTime() + 60_000));

describe('a dispute', () => {
  it('follows within a minute of a charge to its test card, and takes the money', async () => {
    const { shop, charge } = await payWith('pm_card_createDispute');
    expect((await shop.stripe.disputes.list({ charge: charge.id })).data).toEqual([]);
    await aMinuteLater(shop);

    const [dispute] = (await shop.stripe.disputes.list({ charge: charge.id })).data;
    expect(dispute).toMatchObject({ amount: 3_000, charge: charge.id, status: 'needs_response' });
    expect(await shop.stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true });
    await shop.payments.webhooks.settled();
    expect(shop.inbox.typesOf().filter((type) => type.includes('dispute'))).toEqual([
      ...['charge.dispute.created', 'charge.dispute.funds_withdrawn'],
    ]);
  });

  it('is won or lost by the evidence, as test mode decides it, and lost when it is closed', async () => {
    const decide = async (decision: (shop: Shop, id: string) => Promise<Stripe.Dispute>) => {
      const { shop, charge } = await payWith('pm_card_createDispute');
      await aMinuteLater(shop);
      const [dispute] = (await shop.stripe.disputes.list({ charge: charge.id })).data;
      const { status } = await decision(shop, dispute?.id ?? '');
      await shop.payments.webhooks.settled();
      await expect(shop.stripe.disputes.close(dispute?.id ?? '')).rejects.toThrow('already closed');
      return [status, ...shop.inbox.typesOf().slice(-2)];
    };
    const submit = (uncategorized_text: string) => (shop: Shop, id: string) =>
      shop.stripe.disputes.update(id, { evidence: { uncategorized_text } });

    expect(await decide(submit('winning_evidence'))).toEqual([
      ...['won', 'charge.dispute.closed', 'charge.dispute.funds_reinstated'],
    ]);
    expect(await decide(submit('losing_evidence'))).toEqual([
      ...['lost', 'charge.dispute.funds_withdrawn', 'charge.dispute.closed'],
    ]);
    expect(await decide((shop, id) => shop.stripe.disputes.close(id))).toEqual([
      ...['lost', 'charge.dispute.funds_withdrawn', 'charge.dispute.closed'],
    ]);
  });
});

describe('a refund', () => {
  it('is reported by charge.refunded, in part and in full, and never exceeds the charge', async () => {
    const { shop, charge } = await payWith('pm_card_visa');
    const { refunds } = shop.stripe;
    const { payment_intent } = charge as { payment_intent: string };
    await refunds.create({ payment_intent, amount: 1_000 });
    await expect(refunds.create({ payment_intent, amount: 2_001 })).rejects.toMatchObject({
      param: 'amount',
    });
    await refunds.create({ payment_intent });
    await expect(refunds.create({ payment_intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });

    await shop.payments.webhooks.settled();
    const reported = shop.inbox.ofType('charge.refunded').map(({ data }) => data.object);
    expect(reported.map(({ amount_refunded, refunded }) => ({ amount_refunded, refunded }))).toEqual([
      { amount_refunded: 1_000, refunded: false },
      { amount_refunded: 3_000, refunded: true },
    ]);
  });

  it('that fails looks done at first; then the charge can be refunded again', async () => {
    const { shop, charge } = await payWith('pm_card_refundFail');
    const refund = await shop.stripe.refunds.create({ charge: charge.id });
    expect(refund.status).toBe('succeeded');
    await aMinuteLater(shop);

    const [failed] = (await shop.stripe.refunds.list({ charge: charge.id })).data;
    expect(failed).toMatchObject({ id: refund.id, status: 'failed' });
    expect(await shop.stripe.charges.retrieve(charge.id)).toMatchObject({
      amount_refunded: 0,
      refunded: false,
    });
    await shop.payments.webhooks.settled();
    expect(shop.inbox.typesOf().slice(-2)).toEqual(['refund.updated', 'refund.failed']);
  });
});
