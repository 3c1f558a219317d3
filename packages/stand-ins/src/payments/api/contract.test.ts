import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { shapeProblems } from '../testing/sdk-shapes.ts';
import { itemOf, openShop, seedCatalog, seedCustomer, seedPortal } from '../testing/shop.ts';

/** Fails with every field that the SDK's own declarations do not allow or miss. */
function expectShape(file: string, name: string, value: unknown): void {
  expect(shapeProblems(file, name, value)).toEqual([]);
}

describe('every answer has the shape that the SDK declares', () => {
  it('of customers and their cards', async () => {
    const shop = await openShop();
    const { stripe } = shop;
    const customer = await stripe.customers.create({
      email: 'jane@exists.test',
      address: { city: 'Riga', country: 'LV' },
      metadata: { user_id: '7' },
    });
    expectShape('Customers.d.ts', 'Customer', customer);
    expect(customer).toMatchObject({
      email: 'jane@exists.test',
      livemode: false,
      metadata: { user_id: '7' },
    });

    const attached = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    expectShape('PaymentMethods.d.ts', 'PaymentMethod', attached);
    const created = await stripe.paymentMethods.create({
      type: 'card',
      card: { number: '5555555555554444', exp_month: 8, exp_year: 2030, cvc: '123' },
    });
    expectShape('PaymentMethods.d.ts', 'PaymentMethod', created);
    expect(created.card).toMatchObject({ brand: 'mastercard', last4: '4444', exp_month: 8, exp_year: 2030 });

    const cards = await stripe.customers.listPaymentMethods(customer.id);
    expect(cards.data.map(({ id }) => id)).toEqual([attached.id]);
    expectShape('Customers.d.ts', 'DeletedCustomer', await stripe.customers.del(customer.id));
    expectShape('Customers.d.ts', 'DeletedCustomer', await stripe.customers.retrieve(customer.id));
  });

  it('of products and prices', async () => {
    const { stripe } = await openShop();
    const product = await stripe.products.create({ name: '10K plan', description: '10,000 credits a month' });
    expectShape('Products.d.ts', 'Product', product);
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 3_000,
      recurring: { interval: 'month' },
      lookup_key: '10K',
    });
    expectShape('Prices.d.ts', 'Price', price);
    expect(price.unit_amount_decimal?.toString()).toBe('3000');
    const updated = await stripe.products.update(product.id, {
      default_price: price.id,
      metadata: { plan: '10K' },
    });
    expectShape('Products.d.ts', 'Product', updated);
    expectShape('Prices.d.ts', 'Price', (await stripe.prices.list({ lookup_keys: ['10K'] })).data[0]);
  });

  it('of subscriptions, invoices, payments and refunds', async () => {
    const shop = await openShop();
    const { stripe } = shop;
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop, 'pm_card_visa');
    const subscription = await stripe.subscriptions.create({
      customer,
      items: [{ price: catalog['10K'] }],
      expand: ['latest_invoice.payments.data.payment.payment_intent', 'items.data.price.product'],
    });
    // Expanded or not, the declared type covers both.
    expectShape('Subscriptions.d.ts', 'Subscription', subscription);
    const invoice = subscription.latest_invoice as Stripe.Invoice;
    const intent = invoice.payments?.data[0]?.payment.payment_intent as Stripe.PaymentIntent;
    const charge = await stripe.charges.retrieve(String(intent.latest_charge));
    expectShape('PaymentIntents.d.ts', 'PaymentIntent', intent);
    expectShape('Charges.d.ts', 'Charge', charge);
    expect((itemOf(subscription).price.product as Stripe.Product).name).toBe('10K plan');
    expectShape('Invoices.d.ts', 'Invoice', await stripe.invoices.retrieve(invoice.id ?? ''));

    const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 1_000 });
    expectShape('Refunds.d.ts', 'Refund', refund);
    const refunded = await stripe.charges.retrieve(charge.id, { expand: ['refunds'] });
    expectShape('Charges.d.ts', 'Charge', refunded);
    expect(refunded.refunds?.data.map(({ amount }) => amount)).toEqual([1_000]);

    const payments = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intent.id },
    });
    expectShape('InvoicePayments.d.ts', 'InvoicePayment', payments.data[0]);
    expect(payments.data.map((payment) => payment.invoice)).toEqual([invoice.id]);
  });

  it('of disputes', async () => {
    const shop = await openShop();
    const { stripe, payments } = shop;
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop, 'pm_card_createDispute');
    await stripe.subscriptions.create({ customer, items: [{ price: catalog['10K'] }] });
    await payments.clock.advanceTo(new Date(payments.clock.now().getTime() + 60_000));

    const [dispute] = (await stripe.disputes.list()).data;
    expectShape('Disputes.d.ts', 'Dispute', dispute);
    const decided = await stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    expectShape('Disputes.d.ts', 'Dispute', decided);
  });

  it('of subscription schedules', async () => {
    const shop = await openShop();
    const { stripe } = shop;
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop, 'pm_card_visa');
    const subscription = await stripe.subscriptions.create({ customer, items: [{ price: catalog['10K'] }] });
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    expectShape('SubscriptionSchedules.d.ts', 'SubscriptionSchedule', schedule);
    const [present] = schedule.phases;
    const updated = await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: catalog['10K'] }],
          start_date: present?.start_date ?? 0,
          end_date: present?.end_date ?? 0,
        },
        { items: [{ price: catalog['2K'] }], duration: { interval: 'month' } },
      ],
    });
    expectShape('SubscriptionSchedules.d.ts', 'SubscriptionSchedule', updated);
    expectShape(
      'SubscriptionSchedules.d.ts',
      'SubscriptionSchedule',
      await stripe.subscriptionSchedules.release(schedule.id),
    );
  });

  it('of checkout and portal sessions', async () => {
    const shop = await openShop();
    const { stripe } = shop;
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop);
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: catalog['10K'], quantity: 1 }],
      success_url: 'http://app.test/redirect?to=/billing',
      cancel_url: 'http://app.test/billing',
      expand: ['line_items'],
    });
    expectShape('Checkout/Sessions.d.ts', 'Session', session);
    expect(session.line_items?.data[0]?.amount_total).toBe(3_000);
    const setup = await stripe.checkout.sessions.create({
      mode: 'setup',
      currency: 'usd',
      customer,
      success_url: 'http://app.test/billing',
    });
    expectShape('Checkout/Sessions.d.ts', 'Session', setup);

    const configuration = await seedPortal(shop, catalog);
    expectShape(
      'BillingPortal/Configurations.d.ts',
      'Configuration',
      await stripe.billingPortal.configurations.retrieve(configuration),
    );
    const portal = await stripe.billingPortal.sessions.create({
      customer,
      configuration,
      return_url: 'http://app.test/redirect?to=/billing',
      flow_data: { type: 'payment_method_update' },
    });
    expectShape('BillingPortal/Sessions.d.ts', 'Session', portal);
  });

  it('of webhook endpoints and events', async () => {
    const { stripe, payments } = await openShop();
    const endpoint = await stripe.webhookEndpoints.create({
      url: 'http://127.0.0.1:9/hook',
      enabled_events: ['invoice.paid'],
    });
    expectShape('WebhookEndpoints.d.ts', 'WebhookEndpoint', endpoint);
    expect(endpoint.secret).toMatch(/^whsec_/);
    const retrieved = await stripe.webhookEndpoints.retrieve(endpoint.id);
    expect(retrieved.secret).toBeUndefined();
    const disabled = await stripe.webhookEndpoints.update(endpoint.id, { disabled: true });
    expect(disabled.status).toBe('disabled');

    await stripe.customers.create();
    await payments.webhooks.settled();
    const [event] = (await stripe.events.list({ type: 'customer.created' })).data;
    expectShape('Events.d.ts', 'EventBase', event);
    expect(await stripe.events.retrieve(event?.id ?? '')).toEqual(event);
  });
});

describe('the check of shapes itself', () => {
  it('names what is missing, unknown or of another type', () => {
    const problems = shapeProblems('Customers.d.ts', 'DeletedCustomer', {
      id: 1,
      object: 'customer',
      extra: true,
    });
    expect(problems).toEqual([
      'DeletedCustomer.extra: not a field of DeletedCustomer',
      'DeletedCustomer.id: 1 is not string',
      'DeletedCustomer.deleted: missing',
    ]);
  });

  it('looks into nested types', () => {
    const [problem] = shapeProblems('Subscriptions.d.ts', 'Subscription', {
      cancellation_details: { comment: 5 },
    }).filter((text) => text.includes('comment'));
    expect(problem).toBe('Subscription.cancellation_details.comment: 5 is not string');
  });
});
