import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPaidShop, type PaidShop, type Subscriber } from './testing/paid-shop.ts';

describe('GET /billing/me/subscriptions/customer_portal', () => {
  let shop: PaidShop;

  beforeAll(async () => {
    shop = await openPaidShop({ now: new Date('2026-03-05T10:00:00Z') });
  });
  afterAll(() => shop.close());

  const open = async (who: { token(): Promise<string> }, query = '') =>
    shop.api.call('GET', `/billing/me/subscriptions/customer_portal${query}`, { token: await who.token() });
  const pageOf = async (who: Subscriber, query = '') => {
    const answer = await open(who, query);
    expect(answer.statusCode).toBe(200);
    const page = await fetch(answer.json().portal_url);
    return { url: page.url, html: await page.text() };
  };

  it('§3 Portal response: 200 with the address of the portal, which leads back to the billing page', async () => {
    const { url, html } = await pageOf(await shop.signUp());

    expect(new URL(url).origin).toBe(shop.payments.origin);
    expect(html).toContain('Current plan');
    expect(html).toContain('Free plan');
    expect(html).toContain('href="https://assay.test/redirect?to=/billing"');
  });

  it('200 also before the job has set up the customer', async () => {
    const sub = crypto.randomUUID();
    const token = () => shop.api.tokenFor({ sub, email: `${sub}@example.com` });

    expect((await open({ token })).statusCode).toBe(200);
  });

  it('with a plan and no card: a checkout that pays the first month, after which there is one subscription', async () => {
    const jane = await shop.signUp();
    const answer = await open(jane, '?plan=10K');
    const url: string = answer.json().portal_url;
    expect(url).toContain('/checkout/');
    const before = (await jane.account()).subscriptionReference;

    const page = await (await fetch(url)).text();
    const action = /<form[^>]*action="([^"]*)"/.exec(page)?.[1] ?? '';
    const paid = await fetch(new URL(action, url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ number: '4242424242424242', expiry: '12 / 30', cvc: '123', name: 'Jane' }),
    });
    await shop.payments.webhooks.settled();

    expect(paid.headers.get('location')).toBe('https://assay.test/redirect?to=/billing');
    expect(await jane.wallet()).toMatchObject({ balance: 11_000, subscription: { plan: { code: '10K' } } });
    const { data } = await shop.stripe.subscriptions.list({ customer: jane.customerId });
    expect(data.map(({ id }) => id)).toEqual([(await jane.account()).subscriptionReference]);
    expect(data[0]?.id).not.toBe(before);
  });

  it('with a plan and a card: the page that confirms it, and says what it costs', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });

    const { html } = await pageOf(jane, '?plan=50K');

    expect(html).toContain('Confirm your plan');
    expect(html).toContain('$125.00');
  });

  it('with a smaller plan: the page that schedules it', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('50K');

    const { html } = await pageOf(jane, '?plan=FREE');

    expect(html).toContain('Schedule the change');
  });

  it('the front page for the current plan and while a change is scheduled', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('50K');
    expect((await pageOf(jane, '?plan=50K')).html).toContain('Current plan');
    await jane.downgradeTo('10K');

    expect((await pageOf(jane, '?plan=250K')).html).toContain('Current plan');
  });

  it('checkout for a chosen plan when the Free plan is cancelled', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    const { subscriptionReference } = await jane.account();
    await shop.stripe.subscriptions.update(subscriptionReference ?? '', { cancel_at: 'min_period_end' });

    const answer = await open(jane, '?plan=10K');

    expect(answer.json().portal_url).toContain('/checkout/');
  });

  it('400 for a plan that is not on the price list', async () => {
    expect((await open(await shop.signUp(), '?plan=9K')).statusCode).toBe(400);
  });

  it('503 while Stripe cannot be reached', async () => {
    const jane = await shop.signUp();
    shop.payments.failNext({ with: 'dropped_connection', times: 3 });

    const answer = await open(jane);

    expect(answer.statusCode).toBe(503);
    expect(answer.json().errors[0].code).toBe('payments_unavailable');
  });

  it('§6 401 when signed out', async () => {
    expect((await shop.api.call('GET', '/billing/me/subscriptions/customer_portal')).statusCode).toBe(401);
  });

  describe('GET /billing/me/invoices/{invoice_id}', () => {
    it('200 with the page of an invoice in the customer’s history', async () => {
      const jane = await shop.signUp({ card: 'pm_card_visa' });
      await jane.upgradeTo('2K');
      const invoiceId = (await jane.history()).at(-1)?.invoice_id;

      const answer = await shop.api.call('GET', `/billing/me/invoices/${invoiceId}`, {
        token: await jane.token(),
      });

      expect(answer.statusCode).toBe(200);
      const page = await (await fetch(answer.json().invoice_url)).text();
      expect(page).toContain('$7.00');
    });

    it('404 for another customer’s invoice, exactly as for one that does not exist, without logging the id', async () => {
      const jane = await shop.signUp({ card: 'pm_card_visa' });
      await jane.upgradeTo('2K');
      const invoiceId = (await jane.history()).at(-1)?.invoice_id;
      const token = await (await shop.signUp()).token();

      for (const id of [invoiceId, 'in_none']) {
        const answer = await shop.api.call('GET', `/billing/me/invoices/${id}`, { token });
        expect(answer.statusCode).toBe(404);
        expect(answer.json().errors[0].code).toBe('invoice_not_found');
      }
      const log = JSON.stringify(shop.api.logLines);
      expect(log).toContain('invoice_not_found');
      expect(log).not.toContain('in_none');
    });

    it('§6 401 when signed out', async () => {
      expect((await shop.api.call('GET', '/billing/me/invoices/in_1')).statusCode).toBe(401);
    });
  });
});
