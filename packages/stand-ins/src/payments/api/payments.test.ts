import { describe, expect, it } from 'vitest';
import { openShop, type Shop, seedCustomer } from '../testing/shop.ts';

async function open(card: string) {
  const shop = await openShop();
  const customer = await seedCustomer(shop, card);
  const [method] = (await shop.stripe.customers.listPaymentMethods(customer)).data;
  const order = {
    amount: 700,
    currency: 'usd',
    customer,
    payment_method: method?.id ?? '',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  } as const;
  return { shop, customer, intent: await shop.stripe.paymentIntents.create(order) };
}
const confirm = ({ stripe }: Shop, id: string) => stripe.paymentIntents.confirm(id, { off_session: true });
const unexpected = { code: 'payment_intent_unexpected_state' };

describe('a payment with a saved card', () => {
  it('is charged when it is confirmed, once, and cannot be cancelled then', async () => {
    const { shop, customer, intent } = await open('pm_card_visa');
    expect(intent).toMatchObject({
      status: 'requires_confirmation',
      amount_received: 0,
      latest_charge: null,
    });
    expect((await shop.stripe.charges.list({ customer })).data).toEqual([]);

    expect(await confirm(shop, intent.id)).toMatchObject({ status: 'succeeded', amount_received: 700 });
    await expect(confirm(shop, intent.id)).rejects.toMatchObject(unexpected);
    await expect(shop.stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject(unexpected);
    expect((await shop.stripe.charges.list({ customer })).data).toHaveLength(1);
  });

  it('that is cancelled cannot be charged', async () => {
    const { shop, intent } = await open('pm_card_visa');

    expect(await shop.stripe.paymentIntents.cancel(intent.id)).toMatchObject({ status: 'canceled' });
    await expect(confirm(shop, intent.id)).rejects.toMatchObject(unexpected);
  });

  it('that is declined keeps the reason and loses its card', async () => {
    const { shop, intent } = await open('pm_card_authenticationRequired');

    await expect(confirm(shop, intent.id)).rejects.toMatchObject({ code: 'authentication_required' });
    expect(await shop.stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'authentication_required' },
      payment_method: null,
    });
    await expect(confirm(shop, intent.id)).rejects.toMatchObject(unexpected);
  });
});

describe('the list of charges', () => {
  it('begins at a date, and has their refunds when they are asked for', async () => {
    const { shop, customer, intent } = await open('pm_card_visa');
    await confirm(shop, intent.id);
    const { id } = await shop.stripe.refunds.create({ payment_intent: intent.id });
    const list = (order: object) => shop.stripe.charges.list({ customer, ...order });

    const [charge] = (await list({ expand: ['data.refunds'] })).data;
    expect(charge?.refunds?.data).toMatchObject([{ id, status: 'succeeded' }]);
    expect((await list({})).data[0]?.refunds).toBeUndefined();
    const tomorrow = Math.floor(shop.payments.clock.now().getTime() / 1_000) + 86_400;
    expect((await list({ created: { gte: tomorrow } })).data).toEqual([]);
    await expect(list({ expand: ['data.customer'] })).rejects.toThrow('cannot be expanded (data.customer)');
  });
});
