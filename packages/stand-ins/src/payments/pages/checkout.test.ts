import { describe, expect, it } from 'vitest';
import { openShop, seedCatalog, seedCustomer } from '../testing/shop.ts';
import { Visitor } from '../testing/visitor.ts';

const card = (number: string) => ({ number, expiry: '12 / 30', cvc: '123', name: 'Jane Doe' });
const success_url = 'http://app.test/redirect?to=/billing';

async function enterCheckout() {
  const shop = await openShop();
  const catalog = await seedCatalog(shop);
  const customer = await seedCustomer(shop);
  const session = await shop.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: catalog['10K'], quantity: 1 }],
    success_url,
    cancel_url: 'http://app.test/billing',
  });
  const visitor = new Visitor(shop.payments.origin);
  await visitor.open(session.url ?? '');
  return { shop, catalog, customer, session, visitor };
}

describe('checkout', () => {
  it('says what it costs, takes the card, subscribes and leads back', async () => {
    const { shop, visitor, customer } = await enterCheckout();
    expect(visitor.text()).toContain('10K plan $30.00 per month');
    expect(visitor.text()).toContain('Due today $30.00');
    expect(visitor.html).toContain('href="http://app.test/billing"');
    await visitor.press('Pay $30.00 and subscribe', card('4242424242424242'));
    expect(visitor.url).toBe(success_url);

    const expand = ['data.latest_invoice'];
    expect((await shop.stripe.subscriptions.list({ customer, expand })).data).toMatchObject([
      { status: 'active', latest_invoice: { amount_paid: 3_000, billing_reason: 'subscription_create' } },
    ]);
  });

  it('shows a declined card clearly and lets another one be tried', async () => {
    const { shop, visitor, customer } = await enterCheckout();
    for (const number of ['4000 0000 0000 0002', '4000 0000 0000 0341']) {
      await visitor.press('Pay $30.00 and subscribe', card(number));
      expect(visitor.status).toBe(402);
      expect(visitor.text()).toContain(
        'Your card was declined. Nothing was changed and nothing was charged.',
      );
    }
    expect((await shop.stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
    expect((await shop.stripe.subscriptions.list({ customer })).data).toEqual([]);
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

  it('refuses a number that may be a real card', async () => {
    const { visitor } = await enterCheckout();
    await visitor.press('Pay $30.00 and subscribe', card('4111 1111 1111 1111'));
    expect(visitor.status).toBe(402);
    expect(visitor.text()).toContain('use one of the test cards');
  });

  it('expires after a day, and says so', async () => {
    const { shop, session, visitor } = await enterCheckout();
    await shop.payments.clock.advanceTo(new Date('2026-03-06T10:00:00Z'));
    await visitor.open(session.url ?? '');
    expect(visitor.status).toBe(404);
  });
});

describe('checkout of a payment', () => {
  it('charges once, writes a paid invoice, names its session in the return address and saves no card', async () => {
    const shop = await openShop();
    const customer = await seedCustomer(shop);
    const session = await shop.stripe.checkout.sessions.create({
      mode: 'payment',
      customer,
      line_items: [
        {
          price_data: { currency: 'usd', unit_amount: 700, product_data: { name: '2,000 credits' } },
          quantity: 1,
        },
      ],
      invoice_creation: { enabled: true },
      payment_intent_data: { metadata: { pack: '2K' } },
      success_url: 'http://app.test/redirect?to=/billing?checkout={CHECKOUT_SESSION_ID}',
    });
    const visitor = new Visitor(shop.payments.origin);
    await visitor.open(session.url ?? '');
    expect(visitor.text()).toContain('2,000 credits $7.00 Due today $7.00');
    await visitor.press('Pay $7.00', card('4000 0000 0000 0341'));
    expect(visitor.status).toBe(402);
    await visitor.press('Pay $7.00', card('4242424242424242'));
    expect(visitor.url).toBe(`http://app.test/redirect?to=/billing?checkout=${session.id}`);

    const complete = await shop.stripe.checkout.sessions.retrieve(session.id);
    const intent = await shop.stripe.paymentIntents.retrieve(String(complete.payment_intent));
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 700, metadata: { pack: '2K' } });
    const invoice = await shop.stripe.invoices.retrieve(String(complete.invoice));
    expect(invoice).toMatchObject({ total: 700, amount_paid: 700, status: 'paid', parent: null });
    await shop.payments.webhooks.settled();
    expect(shop.inbox.typesOf()).toEqual(['payment_intent.succeeded', 'invoice.paid']);
    expect((await shop.stripe.customers.listPaymentMethods(customer)).data).toEqual([]);
    await visitor.open(invoice.hosted_invoice_url ?? '');
    expect(visitor.text()).toContain('2,000 credits $7.00');
  });
});

describe('the invoice', () => {
  it('opens by its link only', async () => {
    const { shop, visitor } = await enterCheckout();
    await visitor.press('Pay $30.00 and subscribe', card('4242424242424242'));
    const [invoice] = (await shop.stripe.invoices.list()).data;
    await visitor.open(invoice?.hosted_invoice_url ?? '');
    expect(visitor.text()).toContain(`Invoice ${invoice?.number}`);
    expect(visitor.text()).toContain('Mar 5, 2026 to Apr 5, 2026 $30.00');
    expect(visitor.text()).toContain('Bill to jane@exists.test');
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
