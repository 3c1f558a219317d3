import { describe, expect, it } from 'vitest';
import { isoDay, itemOf, openShop, seedCatalog, seedCustomer } from '../testing/shop.ts';

async function openSubscribedShop(options: Parameters<typeof openShop>[0] & { card?: string } = {}) {
  const shop = await openShop(options);
  const catalog = await seedCatalog(shop);
  const customer = await seedCustomer(shop, options.card ?? 'pm_card_visa');
  const subscription = await shop.stripe.subscriptions.create({
    customer,
    items: [{ price: catalog['10K'] }],
  });
  return { shop, catalog, customer, subscription };
}

async function useCard({ stripe }: Awaited<ReturnType<typeof openShop>>, customer: string, name: string) {
  const card = await stripe.paymentMethods.attach(name, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
  return card.id;
}

describe('renewal', () => {
  it('twelve months are twelve paid invoices, each on its day, with its period', async () => {
    const { shop } = await openSubscribedShop({ now: new Date('2026-01-31T10:00:00Z') });
    await shop.payments.clock.advanceTo(new Date('2027-01-31T12:00:00Z'));
    const paid = shop.inbox.ofType('invoice.paid').map(({ data: { object } }) => ({
      reason: object.billing_reason,
      amount: object.amount_paid,
      from: isoDay(object.lines.data[0]?.period.start ?? 0),
    }));
    expect(paid.map(({ from }) => from)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      '2026-10-31',
      '2026-11-30',
      '2026-12-31',
      '2027-01-31',
    ]);
    expect(paid.every(({ amount }) => amount === 3_000)).toBe(true);
    expect(new Set(paid.slice(1).map(({ reason }) => reason))).toEqual(new Set(['subscription_cycle']));
  });

  it('moves the period first, and takes the money an hour later, from a draft', async () => {
    const { shop, subscription } = await openSubscribedShop();
    await shop.payments.clock.advanceTo(new Date('2026-04-05T10:30:00Z'));
    const renewed = await shop.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(isoDay(itemOf(renewed).current_period_end)).toBe('2026-05-05');
    expect(renewed).toMatchObject({ status: 'active', latest_invoice: { status: 'draft', number: null } });
    await shop.payments.clock.advanceTo(new Date('2026-04-05T11:00:00Z'));
    const invoice = await shop.stripe.invoices.retrieve((renewed.latest_invoice as { id: string }).id);
    expect(invoice.status).toBe('paid');
  });

  it('tells in the event what changed', async () => {
    const { shop, subscription } = await openSubscribedShop();
    await shop.payments.clock.advanceTo(new Date('2026-04-05T10:30:00Z'));
    const event = shop.inbox.ofType('customer.subscription.updated').at(-1);
    expect(Object.keys(event?.data.previous_attributes ?? {}).sort()).toEqual(['items', 'latest_invoice']);
    expect(event?.data.previous_attributes).toMatchObject({ latest_invoice: subscription.latest_invoice });
  });
});

describe('a payment that fails', () => {
  it('leaves the plan past due, is tried again after 3, 5 and 7 days, then ends the subscription', async () => {
    const { shop, customer, subscription } = await openSubscribedShop();
    await useCard(shop, customer, 'pm_card_chargeCustomerFail');
    await shop.payments.clock.advanceTo(new Date('2026-04-05T12:00:00Z'));
    const overdue = await shop.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(overdue).toMatchObject({
      status: 'past_due',
      latest_invoice: { status: 'open', attempt_count: 1 },
    });

    await shop.payments.clock.advanceTo(new Date('2026-04-30T00:00:00Z'));
    const attempts = shop.inbox.ofType('invoice.payment_failed').map(({ created }) => isoDay(created));
    expect(attempts).toEqual(['2026-04-05', '2026-04-08', '2026-04-13', '2026-04-20']);
    const [ended] = shop.inbox.ofType('customer.subscription.deleted');
    expect(ended?.data.object.cancellation_details?.reason).toBe('payment_failed');
    expect(isoDay(ended?.created ?? 0)).toBe('2026-04-20');
  });

  it('is forgiven when a retry succeeds with another card', async () => {
    const { shop, customer, subscription } = await openSubscribedShop();
    await useCard(shop, customer, 'pm_card_chargeCustomerFail');
    await shop.payments.clock.advanceTo(new Date('2026-04-06T00:00:00Z'));
    await useCard(shop, customer, 'pm_card_visa');
    await shop.payments.clock.advanceTo(new Date('2026-04-08T12:00:00Z'));
    expect(await shop.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
    expect(await shop.stripe.customers.retrieve(customer)).toMatchObject({ delinquent: false });
  });

  it('is remembered when the API is asked to pay and the card is declined', async () => {
    const { shop, customer, subscription } = await openSubscribedShop();
    await useCard(shop, customer, 'pm_card_chargeCustomerFail');
    await shop.payments.clock.advanceTo(new Date('2026-04-05T12:00:00Z'));
    const { latest_invoice } = await shop.stripe.subscriptions.retrieve(subscription.id);
    await expect(shop.stripe.invoices.pay(String(latest_invoice))).rejects.toMatchObject({
      code: 'card_declined',
    });
    expect(await shop.stripe.invoices.retrieve(String(latest_invoice))).toMatchObject({ attempt_count: 2 });
  });

  it('ends as the account is set to end it', async () => {
    const { shop, customer, subscription } = await openSubscribedShop({
      retryPolicy: { afterDays: [1], finally: 'unpaid' },
    });
    await useCard(shop, customer, 'pm_card_chargeCustomerFail');
    await shop.payments.clock.advanceTo(new Date('2026-05-06T00:00:00Z'));
    const left = await shop.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(left).toMatchObject({
      status: 'unpaid',
      latest_invoice: { status: 'draft', billing_reason: 'subscription_cycle' },
    });
  });
});

describe('a change that waits for the end of the period', () => {
  it('happens then, at the new price, and lets the subscription go a period later', async () => {
    const { shop, subscription, catalog } = await openSubscribedShop();
    const { stripe, payments } = shop;
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const period = itemOf(subscription);
    await stripe.subscriptionSchedules.update(schedule.id, {
      phases: [
        {
          items: [{ price: catalog['10K'] }],
          start_date: period.current_period_start,
          end_date: period.current_period_end,
        },
        { items: [{ price: catalog.FREE }] },
      ],
    });
    await expect(
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
    ).rejects.toThrow('managed by the subscription schedule');

    await payments.clock.advanceTo(new Date('2026-04-05T12:00:00Z'));
    const changed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(itemOf(changed).price.id).toBe(catalog.FREE);
    expect(changed).toMatchObject({
      schedule: schedule.id,
      latest_invoice: { amount_due: 0, status: 'paid' },
    });
    await payments.clock.advanceTo(new Date('2026-05-05T12:00:00Z'));
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      schedule: null,
      status: 'active',
    });
    expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
      status: 'released',
      released_subscription: subscription.id,
    });
  });
});

describe('a refund', () => {
  it('is told by charge.refunded, in part and in full, and never exceeds the charge', async () => {
    const { shop, subscription } = await openSubscribedShop();
    const { stripe } = shop;
    const [payment] = (await stripe.invoicePayments.list({ invoice: String(subscription.latest_invoice) }))
      .data;
    const payment_intent = String(payment?.payment.payment_intent);
    await stripe.refunds.create({ payment_intent, amount: 1_000, reason: 'requested_by_customer' });
    await expect(stripe.refunds.create({ payment_intent, amount: 2_001 })).rejects.toMatchObject({
      param: 'amount',
    });
    await stripe.refunds.create({ payment_intent });
    await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });

    await shop.payments.webhooks.settled();
    const told = shop.inbox.ofType('charge.refunded').map(({ data }) => data.object);
    expect(told.map(({ amount_refunded, refunded }) => ({ amount_refunded, refunded }))).toEqual([
      { amount_refunded: 1_000, refunded: false },
      { amount_refunded: 3_000, refunded: true },
    ]);
  });
});
