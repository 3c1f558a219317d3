import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { openShop } from '../testing/shop.ts';
import { whatChanged } from './events.ts';
import { signatureHeader } from './signature.ts';

const afterSeconds = (from: string, seconds: number): Date => new Date(Date.parse(from) + seconds * 1000);

describe('webhooks', () => {
  it('are signed so that the SDK believes them, and nobody else', () => {
    const { webhooks } = new Stripe('sk_test_x');
    const body = JSON.stringify({ id: 'evt_1', object: 'event' });
    const header = signatureHeader(body, 'whsec_right', new Date());
    expect(webhooks.constructEvent(body, header, 'whsec_right')).toMatchObject({ id: 'evt_1' });
    expect(() => webhooks.constructEvent(body, header, 'whsec_wrong')).toThrow();
    expect(() => webhooks.constructEvent(`${body} `, header, 'whsec_right')).toThrow();
    const stale = signatureHeader(body, 'whsec_right', new Date(Date.now() - 301_000));
    expect(() => webhooks.constructEvent(body, stale, 'whsec_right')).toThrow(
      'Timestamp outside the tolerance zone',
    );
  });

  it('arrive in the order in which things happened, naming the call that caused them', async () => {
    const { stripe, payments, inbox } = await openShop();
    const first = await stripe.customers.create({}, { idempotencyKey: 'first' });
    const second = await stripe.customers.create();
    await stripe.customers.update(first.id, { name: 'Jane' });
    await payments.webhooks.settled();
    expect(inbox.events.map(({ type, data }) => [type, (data.object as { id: string }).id])).toEqual([
      ['customer.created', first.id],
      ['customer.created', second.id],
      ['customer.updated', first.id],
    ]);
    expect(inbox.events[0]?.request).toEqual({
      id: first.lastResponse.requestId,
      idempotency_key: 'first',
    });
    expect(inbox.events[2]?.data.previous_attributes).toEqual({ name: null });
  });

  it('are tried again, waiting longer each time, until they are accepted', async () => {
    const start = '2026-03-05T10:00:00Z';
    const { stripe, payments, inbox } = await openShop();
    inbox.answerNext(500, 302, 404);
    await stripe.customers.create();
    await payments.webhooks.settled();
    expect(payments.webhooks.held()).toHaveLength(1);
    await payments.clock.advanceTo(afterSeconds(start, 2 + 4));
    expect(inbox.events).toHaveLength(0);
    await payments.clock.advanceTo(afterSeconds(start, 2 + 4 + 8));
    expect(inbox.typesOf()).toEqual(['customer.created']);
    expect(payments.webhooks.held()).toHaveLength(0);
  });

  it('let others pass while they wait', async () => {
    const { stripe, payments, inbox } = await openShop();
    inbox.answerNext(503);
    await stripe.customers.create({ name: 'first' });
    await stripe.customers.create({ name: 'second' });
    await payments.clock.advanceTo(new Date('2026-03-05T10:01:00Z'));
    expect(inbox.ofType('customer.created').map(({ data }) => data.object.name)).toEqual(['second', 'first']);
  });

  it('stop after about three days, and the event can still be found as undelivered', async () => {
    const { stripe, payments, inbox } = await openShop();
    inbox.answerNext(...Array<number>(100).fill(500));
    await stripe.customers.create();
    await payments.clock.advanceTo(new Date('2026-03-07T10:00:00Z'));
    expect(payments.webhooks.held()).toHaveLength(1);
    await payments.clock.advanceTo(new Date('2026-03-10T10:00:00Z'));
    expect(payments.webhooks.held()).toHaveLength(0);
    expect((await stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  });

  it('can be held, looked at, and let go in another order or twice', async () => {
    const { stripe, payments, inbox } = await openShop();
    await payments.webhooks.pause();
    await stripe.customers.create({ name: 'first' });
    await stripe.customers.create({ name: 'second' });
    expect(payments.webhooks.held().map(({ type }) => type)).toEqual([
      'customer.created',
      'customer.created',
    ]);
    expect(inbox.events).toEqual([]);

    await payments.webhooks.resume({
      arrange: (held) => held.toReversed().flatMap((event) => [event, event]),
    });
    expect(inbox.ofType('customer.created').map(({ data }) => data.object.name)).toEqual([
      'second',
      'second',
      'first',
      'first',
    ]);
    expect(payments.webhooks.held()).toEqual([]);
    await payments.webhooks.resend(inbox.events[0]?.id ?? '');
    expect(inbox.events).toHaveLength(5);
  });

  it('stay held while the clock moves', async () => {
    const { stripe, payments, inbox } = await openShop();
    await payments.webhooks.pause();
    await stripe.customers.create();
    await payments.clock.advanceTo(new Date('2026-04-01T00:00:00Z'));
    expect(inbox.events).toEqual([]);
    await payments.webhooks.resume();
    expect(inbox.typesOf()).toEqual(['customer.created']);
  });

  it('go to the endpoints that asked for them, with a secret each', async () => {
    const { stripe, payments, inbox } = await openShop();
    const other = await openShop();
    const [own] = (await stripe.webhookEndpoints.list()).data;
    await stripe.webhookEndpoints.update(own?.id ?? '', { enabled_events: ['product.created'] });
    const added = await stripe.webhookEndpoints.create({
      url: other.inbox.url,
      enabled_events: ['customer.created'],
    });
    await stripe.customers.create();
    await stripe.products.create({ name: 'Free' });
    await payments.webhooks.settled();
    expect(inbox.typesOf()).toEqual(['product.created']);
    // The other inbox believes another secret, so it refuses what the new endpoint is sent.
    expect(other.inbox.events).toEqual([]);
    expect(added.secret).not.toBe('whsec_shop');
    await stripe.webhookEndpoints.del(added.id);
    await payments.clock.advanceTo(new Date('2026-03-06T00:00:00Z'));
    expect(payments.webhooks.held()).toEqual([]);
  });

  it('may be answered by calling the API, also while the clock moves', async () => {
    const { stripe, payments, inbox } = await openShop();
    const seen: number[] = [];
    inbox.handle = async () => {
      seen.push((await stripe.customers.list()).data.length);
    };
    const customer = await stripe.customers.create();
    await payments.webhooks.settled();
    await payments.webhooks.pause();
    await stripe.customers.del(customer.id);
    await payments.webhooks.resume();
    await payments.clock.advanceTo(new Date('2026-03-06T00:00:00Z'));
    expect(seen).toEqual([1, 0]);
  });
});

describe('previous attributes', () => {
  it('are the old values of what differs, field by field, lists as a whole', () => {
    const before = { a: 1, b: { c: 2, d: 3 }, list: [1], gone: 'x' };
    const after = { a: 1, b: { c: 2, d: 4 }, list: [1, 2], fresh: 'y' };
    expect(whatChanged(before, after)).toEqual({ b: { d: 3 }, list: [1], gone: 'x', fresh: null });
  });
});
