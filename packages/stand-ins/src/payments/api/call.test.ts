import { describe, expect, it } from 'vitest';
import { openShop, seedCatalog, seedCustomer } from '../testing/shop.ts';

describe('lists', () => {
  it('come newest first, in pages that the SDK walks by itself', async () => {
    const { stripe } = await openShop();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) made.push((await stripe.customers.create()).id);

    const page = await stripe.customers.list({ limit: 3 });
    expect(page.data.map(({ id }) => id)).toEqual(made.toReversed().slice(0, 3));
    expect(page.has_more).toBe(true);
    const all = await stripe.customers.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(made.toReversed());
  });

  it('refuse a limit beyond 100 and an unknown cursor', async () => {
    const { stripe } = await openShop();
    await expect(stripe.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
    await expect(stripe.customers.list({ starting_after: 'cus_nobody' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });

  it('of subscriptions leave out cancelled ones unless asked, and expand what the product reads', async () => {
    const shop = await openShop();
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop);
    const { subscriptions } = shop.stripe;
    const { id } = await subscriptions.create({ customer, items: [{ price: catalog.FREE }] });
    const expand = ['data.latest_invoice', 'data.schedule'];
    const [found] = (await subscriptions.list({ customer, expand })).data;
    expect(found).toMatchObject({ latest_invoice: { amount_due: 0 }, schedule: null });
    await expect(subscriptions.list({ expand: ['data.customer'] })).rejects.toThrow(
      'This property cannot be expanded (data.customer).',
    );

    await subscriptions.cancel(id);
    expect((await subscriptions.list({ customer })).data).toEqual([]);
    expect((await subscriptions.list({ customer, status: 'all' })).data).toMatchObject([
      { status: 'canceled' },
    ]);
  });
});

describe('a lookup key', () => {
  it('names one price until it is transferred to another', async () => {
    const shop = await openShop();
    const catalog = await seedCatalog(shop);
    const { prices } = shop.stripe;
    const { product } = await prices.retrieve(catalog['2K']);
    const order = {
      product: String(product),
      currency: 'usd',
      unit_amount: 900,
      recurring: { interval: 'month' as const },
      lookup_key: '2K',
    };
    await expect(prices.create(order)).rejects.toMatchObject({ param: 'lookup_key' });
    const successor = await prices.create({ ...order, transfer_lookup_key: true });
    expect((await prices.list({ lookup_keys: ['2K'] })).data.map(({ id }) => id)).toEqual([successor.id]);
    expect((await prices.retrieve(catalog['2K'])).lookup_key).toBeNull();
  });
});
