import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import {
  type Catalog,
  isoDay,
  itemOf,
  openShop,
  type Shop,
  seedCatalog,
  seedCustomer,
} from '../testing/shop.ts';

async function subscribe(
  options: { plan?: keyof Catalog & string; card?: string } = {},
): Promise<{ shop: Shop; catalog: Catalog; customer: string; subscription: Stripe.Subscription }> {
  const shop = await openShop();
  const catalog = await seedCatalog(shop);
  const customer = await seedCustomer(shop, options.card);
  const price = catalog[options.plan ?? 'FREE'] as string;
  const subscription = await shop.stripe.subscriptions.create({ customer, items: [{ price }] });
  return { shop, catalog, customer, subscription };
}

const invoicesOf = async ({ stripe }: Shop) =>
  (await stripe.invoices.list()).data.map(({ billing_reason, amount_paid, status }) => ({
    billing_reason,
    amount_paid,
    status,
  }));

describe('creating a subscription', () => {
  it('at a price of 0 needs no card and is active, its invoice of 0 paid', async () => {
    const { shop, subscription } = await subscribe();
    expect(subscription.status).toBe('active');
    expect(isoDay(itemOf(subscription).current_period_end)).toBe('2026-04-05');
    expect(await invoicesOf(shop)).toEqual([
      { billing_reason: 'subscription_create', amount_paid: 0, status: 'paid' },
    ]);
  });

  it('at a price charges the card at once, and says what for', async () => {
    const { shop, subscription, catalog } = await subscribe({ plan: '10K', card: 'pm_card_visa' });
    const invoice = await shop.stripe.invoices.retrieve(String(subscription.latest_invoice));
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 3_000,
      billing_reason: 'subscription_create',
    });
    expect(invoice.number).toMatch(/^[0-9A-Z]{8}$/);
    expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id);
    const [line] = invoice.lines.data;
    expect(line?.pricing?.price_details?.price).toBe(catalog['10K']);
    expect([isoDay(line?.period.start ?? 0), isoDay(line?.period.end ?? 0)]).toEqual([
      '2026-03-05',
      '2026-04-05',
    ]);
  });

  it('at a price without a card is refused', async () => {
    await expect(subscribe({ plan: '10K' })).rejects.toMatchObject({
      code: 'resource_missing',
      statusCode: 400,
    });
  });
});

describe('changing the plan', () => {
  const upgrade = (shop: Shop, subscription: Stripe.Subscription, price: string, more = {}) =>
    shop.stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription).id, price }],
      proration_behavior: 'none',
      billing_cycle_anchor: { type: 'now' },
      ...more,
    });

  it('with a new anchor costs the full new price at once and begins a new month', async () => {
    const { shop, subscription, catalog } = await subscribe({ plan: '2K', card: 'pm_card_visa' });
    await shop.payments.clock.advanceTo(new Date('2026-03-20T12:00:00Z'));
    const upgraded = await upgrade(shop, subscription, catalog['10K']);
    expect(itemOf(upgraded).price.id).toBe(catalog['10K']);
    expect(itemOf(upgraded).id).toBe(itemOf(subscription).id);
    expect(isoDay(itemOf(upgraded).current_period_end)).toBe('2026-04-20');
    expect(await invoicesOf(shop)).toEqual([
      { billing_reason: 'subscription_update', amount_paid: 3_000, status: 'paid' },
      { billing_reason: 'subscription_create', amount_paid: 700, status: 'paid' },
    ]);
  });

  it('from a price of 0 to one always begins a new month and charges', async () => {
    const { shop, subscription, catalog } = await subscribe({ card: 'pm_card_visa' });
    await shop.payments.clock.advanceTo(new Date('2026-03-20T12:00:00Z'));
    const changed = await upgrade(shop, subscription, catalog['2K'], { billing_cycle_anchor: undefined });
    expect(isoDay(itemOf(changed).current_period_start)).toBe('2026-03-20');
    expect((await invoicesOf(shop))[0]).toMatchObject({ amount_paid: 700 });
  });

  it('must say that it does not prorate, and give the anchor as an object', async () => {
    const { shop, subscription, catalog } = await subscribe({ plan: '2K', card: 'pm_card_visa' });
    const silent = shop.stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription).id, price: catalog['10K'] }],
    });
    await expect(silent).rejects.toMatchObject({ param: 'proration_behavior' });
    await expect(
      upgrade(shop, subscription, catalog['10K'], { billing_cycle_anchor: 'now' }),
    ).rejects.toMatchObject({
      param: 'billing_cycle_anchor',
    });
  });

  it('with error_if_incomplete changes nothing when the card is declined', async () => {
    const { shop, subscription, catalog } = await subscribe({ card: 'pm_card_chargeCustomerFail' });
    await shop.payments.webhooks.settled();
    const before = shop.inbox.events.length;
    const refused = upgrade(shop, subscription, catalog['10K'], { payment_behavior: 'error_if_incomplete' });
    await expect(refused).rejects.toMatchObject({ type: 'StripeCardError', code: 'card_declined' });
    expect(await shop.stripe.subscriptions.retrieve(subscription.id)).toEqual(subscription);
    expect(await invoicesOf(shop)).toHaveLength(1);
    await shop.payments.webhooks.settled();
    expect(shop.inbox.events).toHaveLength(before);
  });

  it('with allow_incomplete, the default, changes the plan although the card is declined, and is past due', async () => {
    const { shop, subscription, catalog } = await subscribe({ card: 'pm_card_chargeCustomerFail' });
    const changed = await upgrade(shop, subscription, catalog['10K']);
    expect(changed.status).toBe('past_due');
    expect(itemOf(changed).price.id).toBe(catalog['10K']);
    await shop.payments.webhooks.settled();
    expect(shop.inbox.ofType('invoice.payment_failed')).toHaveLength(1);
  });
});

describe('cancelling', () => {
  it('at the end of the period keeps it until then, then deletes it', async () => {
    const { shop, subscription } = await subscribe({ plan: '2K', card: 'pm_card_visa' });
    const cancelling = await shop.stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
    });
    expect(cancelling).toMatchObject({
      cancel_at_period_end: true,
      cancel_at: itemOf(subscription).current_period_end,
      status: 'active',
    });
    await shop.payments.clock.advanceTo(new Date('2026-04-05T09:59:59Z'));
    expect(shop.inbox.ofType('customer.subscription.deleted')).toHaveLength(0);
    await shop.payments.clock.advanceTo(new Date('2026-04-05T10:00:00Z'));
    const [event] = shop.inbox.ofType('customer.subscription.deleted');
    expect(event?.data.object).toMatchObject({ id: subscription.id, status: 'canceled' });
    expect(await invoicesOf(shop)).toHaveLength(1);
  });

  it('can be taken back', async () => {
    const { shop, subscription } = await subscribe({ plan: '2K', card: 'pm_card_visa' });
    await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    const kept = await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
    expect(kept).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
    await shop.payments.clock.advanceTo(new Date('2026-04-05T12:00:00Z'));
    expect(await invoicesOf(shop)).toHaveLength(2);
  });

  it('that was set as a date is undone by clearing the date, not by the flag', async () => {
    const { shop, subscription } = await subscribe();
    const { subscriptions } = shop.stripe;
    const { cancel_at } = await subscriptions.update(subscription.id, { cancel_at: 'min_period_end' });
    expect(cancel_at).toBe(itemOf(subscription).current_period_end);

    expect(await subscriptions.update(subscription.id, { cancel_at_period_end: false })).toMatchObject({
      cancel_at,
    });
    expect(await subscriptions.update(subscription.id, { cancel_at: '' })).toMatchObject({
      cancel_at: null,
    });
  });

  it('at once ends it, and it cannot be changed any more', async () => {
    const { shop, subscription, customer } = await subscribe();
    const ended = await shop.stripe.subscriptions.cancel(subscription.id);
    expect(ended.status).toBe('canceled');
    const changing = shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await expect(changing).rejects.toThrow('canceled');
    await shop.stripe.customers.del(customer);
    await shop.payments.webhooks.settled();
    expect(shop.inbox.ofType('customer.subscription.deleted')).toHaveLength(1);
    expect(shop.inbox.ofType('customer.deleted')).toHaveLength(1);
  });
});
