import { describe, expect, it } from 'vitest';
import { openShop, seedCatalog, seedCustomer } from '../testing/shop.ts';

describe('lists', () => {
  it('come newest first, in pages that the SDK walks by itself', async () => {
    const { stripe } = await openShop();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await stripe.customers.create()).id);
    const newestFirst = made.toReversed();

    const page = await stripe.customers.list({ limit: 3 });
    expect(page.data.map(({ id }) => id)).toEqual(newestFirst.slice(0, 3));
    expect(page.has_more).toBe(true);
    const next = await stripe.customers.list({ limit: 3, starting_after: page.data[2]?.id ?? '' });
    expect(next.data.map(({ id }) => id)).toEqual(newestFirst.slice(3, 6));
    const previous = await stripe.customers.list({ limit: 2, ending_before: next.data[0]?.id ?? '' });
    expect(previous.data.map(({ id }) => id)).toEqual(newestFirst.slice(1, 3));

    const all: string[] = [];
    for await (const customer of stripe.customers.list({ limit: 2 })) all.push(customer.id);
    expect(all).toEqual(newestFirst);
  });

  it('refuse a limit beyond 100 and a cursor that is nowhere', async () => {
    const { stripe } = await openShop();
    await expect(stripe.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
    await expect(stripe.customers.list({ starting_after: 'cus_nobody' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });

  it('are narrowed by what is asked for', async () => {
    const shop = await openShop();
    const { stripe, payments } = shop;
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop);
    await stripe.subscriptions.create({ customer, items: [{ price: catalog.FREE }] });
    await payments.clock.advanceTo(new Date('2026-03-07T10:00:00Z'));
    const other = await stripe.customers.create({ email: 'john@exists.test' });

    const ids = async (list: Promise<{ data: { id: string }[] }>) => (await list).data.map(({ id }) => id);
    expect(await ids(stripe.customers.list({ email: 'john@exists.test' }))).toEqual([other.id]);
    const since = Date.parse('2026-03-06T00:00:00Z') / 1000;
    expect(await ids(stripe.customers.list({ created: { gte: since } }))).toEqual([other.id]);
    expect(await ids(stripe.customers.list({ created: { lt: since } }))).toEqual([customer]);
    expect(await ids(stripe.prices.list({ lookup_keys: ['10K', '2K'] }))).toEqual([
      catalog['10K'],
      catalog['2K'],
    ]);
    expect(await ids(stripe.subscriptions.list({ customer: other.id }))).toEqual([]);
    expect(await ids(stripe.subscriptions.list({ price: catalog['2K'] }))).toEqual([]);
  });

  it('leave out cancelled subscriptions unless asked', async () => {
    const shop = await openShop();
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop);
    const subscription = await shop.stripe.subscriptions.create({
      customer,
      items: [{ price: catalog.FREE }],
    });
    await shop.stripe.subscriptions.cancel(subscription.id);
    expect((await shop.stripe.subscriptions.list({ customer })).data).toEqual([]);
    const all = await shop.stripe.subscriptions.list({ customer, status: 'all' });
    expect(all.data.map(({ status }) => status)).toEqual(['canceled']);
  });
});

describe('expand', () => {
  it('replaces references by what they refer to, also in lists', async () => {
    const shop = await openShop();
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop);
    await shop.stripe.subscriptions.create({ customer, items: [{ price: catalog.FREE }] });
    const list = await shop.stripe.subscriptions.list({ expand: ['data.customer', 'data.latest_invoice'] });
    expect(list.data[0]).toMatchObject({ customer: { id: customer }, latest_invoice: { amount_due: 0 } });
    const person = await shop.stripe.customers.retrieve(customer, { expand: ['subscriptions'] });
    expect(person).toMatchObject({ subscriptions: { object: 'list', data: [{ customer }] } });
  });

  it('refuses what is no reference, and more than four levels', async () => {
    const shop = await openShop();
    const customer = await seedCustomer(shop);
    await expect(shop.stripe.customers.retrieve(customer, { expand: ['email'] })).rejects.toMatchObject({
      message: 'This property cannot be expanded (email).',
    });
    await expect(
      shop.stripe.customers.retrieve(customer, { expand: ['subscriptions.data.a.b.c.d'] }),
    ).rejects.toMatchObject({ param: 'expand' });
  });
});

describe('prices', () => {
  it('keep a lookup key to themselves until it is transferred', async () => {
    const shop = await openShop();
    const catalog = await seedCatalog(shop);
    const { stripe } = shop;
    const { product } = await stripe.prices.retrieve(catalog['2K']);
    const order = { product: String(product), currency: 'usd', unit_amount: 900, lookup_key: '2K' };
    await expect(stripe.prices.create(order)).rejects.toMatchObject({ param: 'lookup_key' });
    const successor = await stripe.prices.create({ ...order, transfer_lookup_key: true });
    expect((await stripe.prices.list({ lookup_keys: ['2K'] })).data.map(({ id }) => id)).toEqual([
      successor.id,
    ]);
    expect((await stripe.prices.retrieve(catalog['2K'])).lookup_key).toBeNull();
  });

  it('show in subscriptions as they are now', async () => {
    const shop = await openShop();
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop);
    const subscription = await shop.stripe.subscriptions.create({
      customer,
      items: [{ price: catalog.FREE }],
    });
    await shop.stripe.prices.update(catalog.FREE, { metadata: { plan: 'FREE' } });
    const seen = await shop.stripe.subscriptions.retrieve(subscription.id);
    expect(seen.items.data[0]?.price.metadata).toEqual({ plan: 'FREE' });
  });
});
