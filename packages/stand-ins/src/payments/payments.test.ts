import { createDatabase } from '@assay/postgres/testing/database';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPayments } from './index.ts';
import { isoDay, itemOf, openShop, seedCatalog, seedCustomer } from './testing/shop.ts';

describe('a restart', () => {
  it('finds everything as it was: objects, keys of calls, cards, pages and events on their way', async () => {
    const databaseUrl = await createDatabase();
    const first = await openShop({ databaseUrl });
    const catalog = await seedCatalog(first);
    const customer = await seedCustomer(first, 'pm_card_visa');
    const subscription = await first.stripe.subscriptions.create({
      customer,
      items: [{ price: catalog['10K'] }],
    });
    await first.payments.webhooks.settled();
    await first.payments.webhooks.pause();
    const cancelling = () => [{ cancel_at_period_end: true }, { idempotencyKey: 'cancel' }] as const;
    const cancelled = await first.stripe.subscriptions.update(subscription.id, ...cancelling());
    const session = await first.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: catalog['2K'], quantity: 1 }],
      customer,
      success_url: 'http://app.test/',
    });
    await first.payments.close();

    const second = await openShop({
      databaseUrl,
      publicUrl: first.payments.origin,
      port: first.payments.port,
      webhook: { url: first.inbox.url, secret: 'whsec_shop' },
    });
    await second.payments.webhooks.settled();
    expect(first.inbox.typesOf().at(-1)).toBe('customer.subscription.updated');
    expect(await second.stripe.subscriptions.retrieve(subscription.id)).toEqual(cancelled);
    expect((await fetch(session.url ?? '')).status).toBe(200);
    const replayed = await second.stripe.subscriptions.update(subscription.id, ...cancelling());
    expect(replayed.lastResponse.headers['idempotent-replayed']).toBe('true');
    await second.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });

    await second.payments.clock.advanceTo(new Date('2026-04-05T12:00:00Z'));
    const [renewal] = (await second.stripe.invoices.list({ customer })).data;
    expect(renewal).toMatchObject({
      billing_reason: 'subscription_cycle',
      status: 'paid',
      amount_paid: 3_000,
    });
  });

  it('catches up with what fell due meanwhile, each on its own date', async () => {
    const databaseUrl = await createDatabase();
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    const past = await openShop({ databaseUrl, now: daysAgo(40) });
    const catalog = await seedCatalog(past);
    const customer = await seedCustomer(past, 'pm_card_visa');
    const subscription = await past.stripe.subscriptions.create({
      customer,
      items: [{ price: catalog['10K'] }],
    });
    await past.payments.close();

    const today = await openShop({ databaseUrl, now: undefined });
    const invoices = await today.stripe.invoices.list({ customer });
    const due = isoDay(itemOf(subscription).current_period_end);
    expect(invoices.data.map(({ created, status }) => [isoDay(created), status])).toEqual([
      [due, 'paid'],
      [isoDay(subscription.created), 'paid'],
    ]);
  });

  it('is kept from a database that another one still writes to', async () => {
    const databaseUrl = await createDatabase();
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('select pg_advisory_lock(4162307002)');
    onTestFinished(() => client.end());
    // A short limit of the database replaces the stand-in's patience, so that the test does not wait for it.
    await client.query(
      `alter database ${new URL(databaseUrl).pathname.slice(1)} set statement_timeout = '100ms'`,
    );
    await expect(startPayments({ secretKey: 'sk_test_x', databaseUrl })).rejects.toThrow('timeout');
  });
});

describe('the clock', () => {
  it('keeps its start until it is moved, and goes forward only', async () => {
    const { payments } = await openShop();
    expect(payments.clock.now()).toEqual(new Date('2026-03-05T10:00:00Z'));
    await payments.clock.advanceTo(new Date('2026-03-06T10:00:00.500Z'));
    expect(payments.clock.now()).toEqual(new Date('2026-03-06T10:00:00.500Z'));
    await expect(payments.clock.advanceTo(new Date('2026-03-05T10:00:00Z'))).rejects.toThrow(
      'cannot go back',
    );
  });

  it('without a start follows real time, from the moment it was moved to', async () => {
    const { payments, stripe } = await openShop({ now: undefined });
    const before = Date.now();
    expect(payments.clock.now().getTime()).toBeGreaterThanOrEqual(before);
    const inAYear = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000);
    await payments.clock.advanceTo(inAYear);
    const customer = await stripe.customers.create();
    expect(customer.created * 1000).toBeGreaterThanOrEqual(Math.floor(inAYear.getTime() / 1000) * 1000);
  });

  it('while it follows real time does what falls due by itself', async () => {
    const { payments, inbox, stripe } = await openShop({ now: undefined });
    const delivered = new Promise<string>((resolve) => {
      inbox.handle = async ({ type }) => resolve(type);
    });
    // The first attempt fails; the second comes by the timer, two seconds of its clock later.
    inbox.answerNext(500);
    await stripe.customers.del((await stripe.customers.create()).id);
    expect(await delivered).toBe('customer.deleted');
    await payments.webhooks.settled();
  });

  it('leaves nothing running when it is closed, and may be closed twice', async () => {
    const shop = await openShop({ now: undefined });
    const catalog = await seedCatalog(shop);
    const customer = await seedCustomer(shop);
    await shop.stripe.subscriptions.create({ customer, items: [{ price: catalog.FREE }] });
    await shop.payments.webhooks.settled();
    await shop.payments.close();
    await expect(fetch(shop.payments.origin)).rejects.toThrow();
    expect(process.getActiveResourcesInfo().filter((resource) => resource === 'TCPServerWrap')).toHaveLength(
      1,
    );
  });
});

describe('starting', () => {
  it('fails when the port is taken, and lets go of the database', async () => {
    const databaseUrl = await createDatabase();
    const { payments } = await openShop();
    await expect(startPayments({ secretKey: 'sk_test_x', databaseUrl, port: payments.port })).rejects.toThrow(
      'EADDRINUSE',
    );
    const second = await startPayments({ secretKey: 'sk_test_x', databaseUrl });
    await second.close();
  });
});
