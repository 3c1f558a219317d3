import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../testing/api.ts';
import { openPaidShop, type PaidShop, type Subscriber, webhookSecret } from './testing/paid-shop.ts';

describe('POST /billing/webhooks/stripe', () => {
  let shop: PaidShop;

  beforeAll(async () => {
    shop = await openPaidShop({ now: new Date('2026-03-05T10:00:00Z') });
  });
  afterAll(async () => {
    expect(await shop.audit()).toEqual([]);
    await shop.close();
  });

  const signer = new Stripe('sk_test_signer');
  /** An event that looks like the real one. */
  const anEvent = (type: string, object: object = { object: 'invoice', id: 'in_none' }) => ({
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: 1_772_704_800,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object },
  });
  const sign = (payload: string, { secret = webhookSecret, secondsAgo = 0 } = {}) =>
    signer.webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor(shop.now().getTime() / 1_000) - secondsAgo,
    });
  const post = (payload: string, signature?: string) =>
    shop.api.call('POST', '/billing/webhooks/stripe', {
      headers: {
        'content-type': 'application/json',
        ...(signature !== undefined && { 'stripe-signature': signature }),
      },
      body: payload,
    });

  it('200 for a genuine event', async () => {
    const payload = JSON.stringify(anEvent('customer.subscription.updated', { customer: 'cus_unknown' }));

    const answer = await post(payload, sign(payload));

    expect(answer.statusCode).toBe(200);
    expect(shop.api.logLines.at(-2)).toMatchObject({ outcome: 'ignored: unknown customer' });
  });

  it('400 when it is forged: no signature, another secret, another body, garbage', async () => {
    const payload = JSON.stringify(anEvent('invoice.paid'));
    const refused = [
      await post(payload),
      await post(payload, ''),
      await post(payload, 'garbage'),
      await post(payload, sign(payload, { secret: 'whsec_other' })),
      await post(payload.replace('in_none', 'in_mine'), sign(payload)),
      // The same object in other bytes: the signature is over bytes.
      await post(JSON.stringify(JSON.parse(payload), null, 2), sign(payload)),
      await post('', sign(payload)),
    ];

    for (const answer of refused) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors[0].code).toBe('webhook_not_genuine');
    }
  });

  it('429 for a minute to a network that has sent many forged events', async () => {
    const payload = JSON.stringify(anEvent('product.created'));
    const postFrom = (remoteAddress: string, signature: string) =>
      shop.api.app.inject({
        method: 'POST',
        url: '/api/billing/webhooks/stripe',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        payload,
        remoteAddress,
      });
    const forged = sign(payload, { secret: 'whsec_other' });
    for (let sent = 0; sent < 20; sent += 1)
      expect((await postFrom('198.51.100.7', forged)).statusCode).toBe(400);

    const refused = await postFrom('198.51.100.7', sign(payload));
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await postFrom('198.51.100.8', sign(payload))).statusCode).toBe(200);

    await shop.advanceTo(new Date(shop.now().getTime() + 60_000));
    expect((await postFrom('198.51.100.7', sign(payload))).statusCode).toBe(200);
  });

  it('400 when it is stale: a signature is good for five minutes', async () => {
    const payload = JSON.stringify(anEvent('product.created'));

    expect((await post(payload, sign(payload, { secondsAgo: 299 }))).statusCode).toBe(200);
    expect((await post(payload, sign(payload, { secondsAgo: 301 }))).statusCode).toBe(400);
  });

  it.each([
    ['no JSON', 'invoice.paid'],
    ['nothing', 'null'],
    ['a number', '7'],
    ['a list', '[]'],
    ['no fields', '{}'],
    ['no object', JSON.stringify({ ...anEvent('invoice.paid'), data: {} })],
    ['null for its object', JSON.stringify({ ...anEvent('customer.deleted'), data: { object: null } })],
    ['an invoice without an id', JSON.stringify(anEvent('invoice.paid', { customer: 'cus_unknown' }))],
    ['a number for its id', JSON.stringify({ ...anEvent('invoice.paid'), id: 7 })],
    ['NUL in its id', JSON.stringify({ ...anEvent('invoice.paid'), id: 'evt_\0' })],
    ['a list for its customer', JSON.stringify(anEvent('customer.subscription.updated', { customer: [] }))],
    ['a path for its charge', JSON.stringify(anEvent('refund.updated', { charge: '../customers' }))],
  ])('400 when it is signed and holds %s', async (_what, payload) => {
    const answer = await post(payload, sign(payload));

    expect(answer.json().errors[0]).toMatchObject({ http_status: 400, code: 'webhook_malformed' });
  });

  it('400 for a correct signature whose time is in the future, not a number, repeated or missing', async () => {
    const payload = JSON.stringify(anEvent('product.created'));
    const now = Math.floor(shop.now().getTime() / 1_000);
    // Signed as the SDK checks it: over what it made of the time.
    const notANumber = `t=soon,v1=${createHmac('sha256', webhookSecret).update(`NaN.${payload}`).digest('hex')}`;
    const refused = [
      sign(payload, { secondsAgo: -61 }),
      sign(payload, { secondsAgo: -86_400 * 365 }),
      notANumber,
      `t=${now - 86_400},${sign(payload)}`,
      sign(payload).replace(/^t=\d+,/, ''),
      sign(payload).replace(/^t=/, 't=+'),
    ];

    for (const signature of refused) {
      const answer = await post(payload, signature);
      expect([signature, answer.statusCode]).toEqual([signature, 400]);
      expect(answer.json().errors[0].code).toBe('webhook_not_genuine');
    }
    expect((await post(payload, sign(payload, { secondsAgo: -59 }))).statusCode).toBe(200);
  });

  it.each([
    ['invoice.paid', 'an invoice', (customer: string) => ({ object: 'invoice', id: 'in_gone', customer })],
    ['charge.refunded', 'a charge', () => ({ object: 'charge', id: 'ch_gone' })],
    ['charge.dispute.created', 'the charge of a dispute', () => ({ id: 'du_gone', charge: 'ch_gone' })],
    ['refund.failed', 'the charge of a refund', () => ({ id: 're_gone', charge: 'ch_gone' })],
    ['customer.deleted', 'a customer', () => ({ object: 'customer', id: 'cus_gone' })],
    [
      'payment_intent.succeeded',
      'a payment',
      (customer: string) => ({ id: 'pi_gone', customer, metadata: { assay_pack: '2K' } }),
    ],
  ])(
    '200 for %s about %s that Stripe does not know, with a line in the log',
    async (type, _what, objectOf) => {
      const jane = await shop.signUp();
      const payload = JSON.stringify(anEvent(type, objectOf(jane.customerId)));

      const answer = await post(payload, sign(payload));

      expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }]);
      expect(shop.api.logLines).toContainEqual(
        expect.objectContaining({ event_type: type, outcome: expect.stringMatching(/^(ignored|applied)/) }),
      );
      expect((await jane.wallet()).balance).toBe(1_000);
    },
  );

  it('413 for a body larger than any event', async () => {
    const payload = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) });

    expect((await post(payload, sign(payload))).statusCode).toBe(413);
  });

  it('200 for an unknown type, which is ignored with a line in the log', async () => {
    const payload = JSON.stringify(anEvent('radar.early_fraud_warning.created'));

    expect((await post(payload, sign(payload))).statusCode).toBe(200);
    expect(shop.api.logLines).toContainEqual(
      expect.objectContaining({
        msg: 'payment event',
        event_type: 'radar.early_fraud_warning.created',
        outcome: 'ignored: unknown type',
      }),
    );
  });

  it('uses the state fetched from Stripe instead of the contents of the event', async () => {
    const jane = await shop.signUp();
    const payload = JSON.stringify(
      anEvent('customer.subscription.updated', {
        object: 'subscription',
        id: 'sub_rich',
        customer: jane.customerId,
        status: 'active',
        items: { data: [{ price: { metadata: { assay_plan: '1M' } } }] },
      }),
    );

    expect((await post(payload, sign(payload))).statusCode).toBe(200);
    expect(await jane.wallet()).toMatchObject({ balance: 1_000, subscription: { plan: { code: 'FREE' } } });
  });

  it('applies each event once, also when it arrives again', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await jane.upgradeTo('10K');
    const { data } = await shop.stripe.events.list({ limit: 100 });

    for (const event of data) await shop.payments.webhooks.resend(event.id);
    await Promise.all(data.map((event) => shop.payments.webhooks.resend(event.id)));

    expect((await jane.wallet()).balance).toBe(11_000);
    const entries = await jane.history();
    expect(entries.map(({ amount }) => amount)).toEqual([1_000, 10_000]);
  });

  describe('for events in any order', () => {
    const story = async (jane: Subscriber) => {
      await jane.upgradeTo('2K');
      await jane.upgradeTo('10K');
      const [invoice] = (await shop.stripe.invoices.list({ customer: jane.customerId, limit: 1 })).data;
      const [payment] = (await shop.stripe.invoicePayments.list({ invoice: invoice?.id ?? '' })).data;
      await shop.stripe.refunds.create({ payment_intent: String(payment?.payment.payment_intent) });
    };
    const shuffles: [string, <Item>(items: Item[]) => Item[]][] = [
      ['backwards', (items) => items.toReversed()],
      [
        'the second half first, each twice',
        (items) => {
          const half = Math.floor(items.length / 2);
          return [...items.slice(half), ...items.slice(half), ...items.slice(0, half), ...items];
        },
      ],
      [
        'every third, then the others backwards',
        (items) => [
          ...items.filter((_, index) => index % 3 === 0),
          ...items.filter((_, index) => index % 3 !== 0).toReversed(),
        ],
      ],
    ];

    it.each(shuffles)('%s: the final state is the same', async (_, shuffle) => {
      const jane = await shop.signUp({ card: 'pm_card_visa' });
      await shop.payments.webhooks.pause();
      await story(jane);
      await shop.payments.webhooks.resume({ arrange: shuffle });

      expect(await jane.wallet()).toMatchObject({
        balance: 1_000 + 2_000,
        subscription: { plan: { code: '10K' } },
      });
      const amounts = (await jane.history()).map(({ amount }) => amount);
      expect(amounts.toSorted((a, b) => a - b)).toEqual([-10_000, 1_000, 2_000, 10_000]);
    });
  });

  it('503 while Stripe is unreachable, and applies the event when Stripe sends it again', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    await shop.payments.webhooks.pause();
    await jane.upgradeTo('2K');
    const [paid] = shop.payments.webhooks.held().filter(({ type }) => type === 'invoice.paid');
    // The SDK asks three times before it gives up.
    shop.payments.failNext({ method: 'GET', path: /^\/v1\/subscriptions/, with: 'server_error', times: 3 });
    await shop.payments.webhooks.resume({ arrange: () => (paid ? [paid] : []) });
    const { data } = await shop.stripe.events.list({ type: 'invoice.paid', limit: 1 });
    expect(data[0]?.pending_webhooks).toBe(1);

    // Other events brought the plan meanwhile; the failed one comes again by itself and finds nothing left to do.
    await shop.payments.clock.advanceTo(new Date(shop.now().getTime() + 60_000));
    expect(
      (await shop.stripe.events.list({ type: 'invoice.paid', limit: 1 })).data[0]?.pending_webhooks,
    ).toBe(0);
    expect((await jane.wallet()).balance).toBe(3_000);
  });

  it('makes open tabs refresh once per change', async () => {
    const jane = await shop.signUp({ card: 'pm_card_visa' });
    const listener = await shop.api.database.pool.connect();
    const heard: unknown[] = [];
    listener.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload)));
    await listener.query('listen assay_events');

    await jane.upgradeTo('2K');
    await listener.query('select 1');
    listener.release(true);

    expect(heard).toEqual([
      { user_id: jane.ownerId, event: { event_type: 'refresh_billing', event_metadata: {} } },
    ]);
  });

  it('503 where no payments are configured', async () => {
    const bare = await startTestApi();
    try {
      const token = await bare.tokenFor();
      const portal = await bare.call('GET', '/billing/me/subscriptions/customer_portal', { token });
      expect(portal.statusCode).toBe(503);
      expect(portal.json().errors[0].code).toBe('payments_unavailable');
      const webhook = await bare.call('POST', '/billing/webhooks/stripe', { body: {} });
      expect(webhook.statusCode).toBe(503);
    } finally {
      await bare.close();
    }
  });
});
