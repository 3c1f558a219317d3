import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { isoDay, itemOf, openShop, type Shop, seedCatalog, seedCustomer } from '../testing/shop.ts';

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

async function useCard({ stripe }: Shop, customer: string, name: string) {
  const card = await stripe.paymentMethods.attach(name, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
  return card.id;
}

async function withInvoice({ stripe }: Shop): Promise<Stripe.Subscription> {
  const [subscription] = (await stripe.subscriptions.list({ expand: ['data.latest_invoice'] })).data;
  if (!subscription) throw new Error('there is no subscription');
  return subscription;
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
    const { shop } = await openSubscribedShop();
    await shop.payments.clock.advanceTo(new Date('2026-04-05T10:30:00Z'));
    const renewed = await withInvoice(shop);
    expect(isoDay(itemOf(renewed).current_period_end)).toBe('2026-05-05');
    expect(renewed).toMatchObject({ status: 'active', latest_invoice: { status: 'draft', number: null } });
    await shop.payments.clock.advanceTo(new Date('2026-04-05T11:00:00Z'));
    const invoice = await shop.stripe.invoices.retrieve((renewed.latest_invoice as { id: string }).id);
    expect(invoice.status).toBe('paid');
  });
});

describe('the balance of a customer', () => {
  it('pays the next invoices as far as it reaches, and a debt is added to the next one', async () => {
    const { shop, customer } = await openSubscribedShop();
    const setBalance = (balance: number) => shop.stripe.customers.update(customer, { balance });
    const renewedOn = async (day: string) => {
      await shop.payments.clock.advanceTo(new Date(`2026-${day}T12:00:00Z`));
      const { data } = await shop.stripe.invoices.list({ customer, limit: 1 });
      return [data[0], await shop.stripe.customers.retrieve(customer)];
    };
    await setBalance(-4_000);
    expect(await renewedOn('04-05')).toMatchObject([
      { status: 'paid', total: 3_000, amount_due: 0, amount_paid: 0 },
      { balance: -1_000 },
    ]);
    expect(await renewedOn('05-05')).toMatchObject([
      { total: 3_000, amount_due: 2_000, amount_paid: 2_000 },
      { balance: 0 },
    ]);
    await setBalance(500);
    expect(await renewedOn('06-05')).toMatchObject([{ total: 3_000, amount_paid: 3_500 }, { balance: 0 }]);
    const charges = (await shop.stripe.charges.list({ customer })).data.map(({ amount }) => amount);
    expect(charges).toEqual([3_500, 2_000, 3_000]);
  });
});

describe('a payment that fails', () => {
  it('leaves the plan past due, is tried again after 3, 5 and 7 days, then ends the subscription', async () => {
    const { shop, customer } = await openSubscribedShop();
    await useCard(shop, customer, 'pm_card_chargeCustomerFail');
    await shop.payments.clock.advanceTo(new Date('2026-04-05T12:00:00Z'));
    const overdue = await withInvoice(shop);
    expect(overdue).toMatchObject({
      status: 'past_due',
      latest_invoice: { status: 'open', attempt_count: 1 },
    });

    await shop.payments.clock.advanceTo(new Date('2026-04-30T00:00:00Z'));
    const attempts = shop.inbox.ofType('invoice.payment_failed').map(({ created }) => isoDay(created));
    expect(attempts).toEqual(['2026-04-05', '2026-04-08', '2026-04-13', '2026-04-20']);
    const [ended] = shop.inbox.ofType('customer.subscription.deleted');
    expect(isoDay(ended?.created ?? 0)).toBe('2026-04-20');
  });

  it('is forgiven when a retry succeeds with another card', async () => {
    const { shop, customer, subscription } = await openSubscribedShop();
    await useCard(shop, customer, 'pm_card_chargeCustomerFail');
    await shop.payments.clock.advanceTo(new Date('2026-04-06T00:00:00Z'));
    await useCard(shop, customer, 'pm_card_visa');
    await shop.payments.clock.advanceTo(new Date('2026-04-08T12:00:00Z'));
    expect(await shop.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
  });
});
