import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { openShop, seedCatalog, seedCustomer } from '../testing/shop.ts';
import { Visitor } from '../testing/visitor.ts';

const card = (number: string) => ({ number, expiry: '12 / 30', cvc: '123', name: 'Jane Doe' });
const success_url = 'http://app.test/redirect?to=/billing&session={CHECKOUT_SESSION_ID}';

async function enterCheckout(params: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const shop = await openShop();
  const catalog = await seedCatalog(shop);
  const customer = await seedCustomer(shop);
  const session = await shop.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: catalog['10K'], quantity: 1 }],
    success_url,
    cancel_url: 'http://app.test/billing',
    client_reference_id: 'user-7',
    subscription_data: { metadata: { user: '7' } },
    ...params,
  });
  const visitor = new Visitor(shop.payments.origin);
  await visitor.open(session.url ?? '');
  return { shop, catalog, customer, session, visitor };
}

describe('checkout', () => {
  it('says what it costs, takes the card, subscribes and leads back', async () => {
    const { shop, session, visitor, customer } = await enterCheckout();
    expect(visitor.text()).toContain('10K plan $30.00 per month');
    expect(visitor.text()).toContain('Due today $30.00');
    expect(visitor.html).toContain('href="http://app.test/billing"');
    await visitor.press('Pay $30.00 and subscribe', card('4242424242424242'));
    expect(visitor.url).toBe(`http://app.test/redirect?to=/billing&session=${session.id}`);

    const done = await shop.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription', 'invoice'],
    });
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      client_reference_id: 'user-7',
      subscription: { status: 'active', customer, metadata: { user: '7' } },
      invoice: { amount_paid: 3_000, billing_reason: 'subscription_create' },
      url: null,
    });
    await shop.payments.webhooks.settled();
    const types = shop.inbox.typesOf();
    for (const type of ['payment_method.attached', 'customer.subscription.created', 'invoice.paid']) {
      expect(types.indexOf(type)).toBeGreaterThan(-1);
      expect(types.indexOf(type)).toBeLessThan(types.indexOf('checkout.session.completed'));
    }
  });

  it('shows a declined card clearly and lets another one be tried', async () => {
    const { shop, session, visitor, customer } = await enterCheckout();
    for (const number of ['4000 0000 0000 0002', '4000 0000 0000 0341']) {
      await visitor.press('Pay $30.00 and subscribe', card(number));
      expect(visitor.status).toBe(402);
      expect(visitor.text()).toContain('Your card was declined. You can try another card.');
    }
    expect((await shop.stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
    expect((await shop.stripe.subscriptions.list({ customer })).data).toEqual([]);
    expect((await shop.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    await visitor.press('Pay $30.00 and subscribe', card('4242 4242 4242 4242'));
    expect(visitor.url).toContain('http://app.test/redirect');
  });

  it('cannot be paid twice', async () => {
    const { shop, session, visitor } = await enterCheckout();
    await visitor.press('Pay $30.00 and subscribe', card('4242424242424242'));
    await visitor.open(session.url ?? '');
    expect(visitor.url).toContain('http://app.test/redirect');
    expect((await shop.stripe.subscriptions.list()).data).toHaveLength(1);
  });

  it('expires after a day, and says so', async () => {
    const { shop, session, visitor } = await enterCheckout();
    await shop.payments.clock.advanceTo(new Date('2026-03-06T10:00:00Z'));
    expect(await shop.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'expired',
      url: null,
    });
    expect(shop.inbox.ofType('checkout.session.expired')).toHaveLength(1);
    await visitor.open(session.url ?? '');
    expect(visitor.status).toBe(404);
  });

  it('in setup mode saves the card and charges nothing; using it is the caller’s step', async () => {
    const { shop, session, visitor, customer } = await enterCheckout({
      mode: 'setup',
      currency: 'usd',
      line_items: undefined,
      subscription_data: undefined,
    });
    expect(visitor.text()).toContain('Nothing is charged now.');
    await visitor.press('Save card', card('4000 0000 0000 0341'));
    const done = await shop.stripe.checkout.sessions.retrieve(session.id, { expand: ['setup_intent'] });
    const intent = done.setup_intent as Stripe.SetupIntent;
    expect(intent.status).toBe('succeeded');
    const [saved] = (await shop.stripe.customers.listPaymentMethods(customer)).data;
    expect(saved?.id).toBe(intent.payment_method);
    expect(await shop.stripe.customers.retrieve(customer)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    });
  });

  it('makes the customer when only an address is known', async () => {
    const { shop, session, visitor } = await enterCheckout({
      customer: undefined,
      customer_email: 'new@exists.test',
    });
    await visitor.press('Pay $30.00 and subscribe', card('4242424242424242'));
    const done = await shop.stripe.checkout.sessions.retrieve(session.id, { expand: ['customer'] });
    expect(done.customer).toMatchObject({ email: 'new@exists.test' });
  });
});

describe('the invoice', () => {
  it('can be looked at and downloaded by whoever holds its link, and by nobody else', async () => {
    const { shop, visitor } = await enterCheckout();
    await visitor.press('Pay $30.00 and subscribe', card('4242424242424242'));
    const [invoice] = (await shop.stripe.invoices.list()).data;
    await visitor.open(invoice?.hosted_invoice_url ?? '');
    expect(visitor.text()).toContain(`Number ${invoice?.number}`);
    expect(visitor.text()).toContain('Mar 5, 2026 – Apr 5, 2026 $30.00');
    expect(visitor.text()).toContain('Bill to Jane Doe jane@exists.test');

    const pdf = await fetch(invoice?.invoice_pdf ?? '');
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    const document = await pdf.text();
    expect(document.startsWith('%PDF-1.4')).toBe(true);
    expect(document).toContain(`(Number: ${invoice?.number})`);
    await visitor.open(`${shop.payments.origin}/invoice/guessed`);
    expect(visitor.status).toBe(404);
  });
});

describe('every page', () => {
  it('runs nothing, fetches nothing from elsewhere, cannot be framed and passes no address on', async () => {
    const { visitor } = await enterCheckout();
    const policy = visitor.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(visitor.headers.get('referrer-policy')).toBe('no-referrer');
    expect(visitor.headers.get('cache-control')).toBe('no-store');
    expect(visitor.html).not.toMatch(/<script|style=|onclick/);
  });

  it('escapes what it shows', async () => {
    const { shop, session, visitor, catalog } = await enterCheckout();
    const { product } = await shop.stripe.prices.retrieve(catalog['10K']);
    await shop.stripe.products.update(String(product), { name: '<img src=x onerror=alert(1)>' });
    await visitor.open(session.url ?? '');
    expect(visitor.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(visitor.html).not.toContain('<img src=x');
  });
});
