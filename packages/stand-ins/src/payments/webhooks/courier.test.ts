import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { openShop, type Shop } from '../testing/shop.ts';
import { signatureHeader } from './courier.ts';

const afterSeconds = (from: string, seconds: number): Date => new Date(Date.parse(from) + seconds * 1000);

/** Causes one event, about the customer whose id is returned. */
async function deleteCustomer({ stripe }: Shop): Promise<string> {
  const { id } = await stripe.customers.create();
  await stripe.customers.del(id);
  return id;
}

const subjectsOf = ({ inbox }: Shop) => inbox.ofType('customer.deleted').map(({ data }) => data.object.id);

describe('webhooks', () => {
  it('carry a signature that the SDK accepts with the right secret, body and time only', () => {
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

  it('are tried again, waiting longer each time, until they are accepted', async () => {
    const start = '2026-03-05T10:00:00Z';
    const shop = await openShop();
    const { payments, inbox } = shop;
    inbox.answerNext(500, 302, 404);
    await deleteCustomer(shop);
    await payments.webhooks.settled();
    expect(payments.webhooks.held()).toHaveLength(1);
    await payments.clock.advanceTo(afterSeconds(start, 2 + 4));
    expect(inbox.events).toHaveLength(0);
    await payments.clock.advanceTo(afterSeconds(start, 2 + 4 + 8));
    expect(inbox.typesOf()).toEqual(['customer.deleted']);
    expect(payments.webhooks.held()).toHaveLength(0);
  });

  it('arrive in the order in which things happened, but pass one that waits', async () => {
    const shop = await openShop();
    shop.inbox.answerNext(503);
    const ids = [await deleteCustomer(shop), await deleteCustomer(shop), await deleteCustomer(shop)];
    await shop.payments.clock.advanceTo(new Date('2026-03-05T10:01:00Z'));
    expect(subjectsOf(shop)).toEqual([ids[1], ids[2], ids[0]]);
  });

  it('stop after about three days', async () => {
    const shop = await openShop();
    const { payments, inbox } = shop;
    inbox.answerNext(...Array<number>(100).fill(500));
    await deleteCustomer(shop);
    await payments.clock.advanceTo(new Date('2026-03-07T10:00:00Z'));
    expect(payments.webhooks.held()).toHaveLength(1);
    await payments.clock.advanceTo(new Date('2026-03-10T10:00:00Z'));
    expect(payments.webhooks.held()).toHaveLength(0);
    expect((await shop.stripe.events.list()).data).toMatchObject([{ pending_webhooks: 1 }]);
  });

  it('can be held while the clock moves, then released in another order or twice', async () => {
    const shop = await openShop();
    const { payments, inbox } = shop;
    await payments.webhooks.pause();
    const [first, second] = [await deleteCustomer(shop), await deleteCustomer(shop)];
    await payments.clock.advanceTo(new Date('2026-03-20T00:00:00Z'));
    expect(payments.webhooks.held()).toHaveLength(2);
    expect(inbox.events).toEqual([]);

    await payments.webhooks.resume({
      arrange: (held) => held.toReversed().flatMap((event) => [event, event]),
    });
    expect(subjectsOf(shop)).toEqual([second, second, first, first]);
    expect(payments.webhooks.held()).toEqual([]);
    await payments.webhooks.resend(inbox.events[0]?.id ?? '');
    expect(inbox.events).toHaveLength(5);
  });

  it('may be answered by calling the API, also while the clock moves', async () => {
    const shop = await openShop();
    const { stripe, payments, inbox } = shop;
    const seen: number[] = [];
    inbox.handle = async () => {
      seen.push((await stripe.customers.list()).data.length);
    };
    await payments.webhooks.pause();
    await deleteCustomer(shop);
    await payments.webhooks.resume();
    await payments.clock.advanceTo(new Date('2026-03-06T00:00:00Z'));
    expect(seen).toEqual([0]);
  });
});
