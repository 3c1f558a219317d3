import { randomUUID } from 'node:crypto';
import { PLAN_TIERS } from '@assay/contract';
import { type Payments, startPayments } from '@assay/stand-ins/payments';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setCustomer } from '../features/billing/payments/payments.store.ts';
import { insertCustomer } from '../features/billing/testing/accounts.ts';
import { createTestDatabase } from '../testing/database.ts';
import { run } from './payments.ts';

describe('assay payments', () => {
  const secretKey = 'sk_test_setup';
  let payments: Payments;
  let stripe: Stripe;

  beforeAll(async () => {
    payments = await startPayments({ secretKey });
    stripe = new Stripe(secretKey, {
      host: payments.host,
      port: payments.port,
      protocol: 'http',
      telemetry: false,
    });
  });
  afterAll(() => payments.close());

  const call = async (argv: string[], env: NodeJS.ProcessEnv = {}) => {
    const out: string[] = [];
    const err: string[] = [];
    const code = await run(argv, {
      env: {
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_API_URL: payments.origin,
        PUBLIC_URL: 'https://assay.test',
        ...env,
      },
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
    });
    return { code, out: out.join(''), err: err.join('') };
  };
  const activePrices = async () => (await stripe.prices.list({ active: true, limit: 100 })).data;

  it('creates a price for each tier and a portal, prints the webhook’s URL, and can be repeated', async () => {
    const first = await call(['setup']);
    expect(first.code).toBe(0);
    expect(first.out).toContain('https://assay.test/api/billing/webhooks/stripe');

    const again = await call(['setup']);

    expect(again.out).not.toMatch(/^(created|updated|retired)/m);
    const amounts = (await activePrices()).map((price) => price.unit_amount);
    expect(amounts.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
      PLAN_TIERS.map(({ monthlyCostCents }) => monthlyCostCents),
    );
    const { data } = await stripe.billingPortal.configurations.list();
    expect(data).toHaveLength(1);
    expect(data[0]?.features.subscription_update).toMatchObject({
      proration_behavior: 'none',
      billing_cycle_anchor: 'now',
      schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
    });
  });

  it('replaces a price whose amount differs from the price list, and archives the old one', async () => {
    const [wrong] = (await stripe.prices.list({ lookup_keys: ['assay_plan_2k'] })).data;
    const product = String(wrong?.product);
    const dearer = await stripe.prices.create({
      product,
      currency: 'usd',
      unit_amount: 999,
      recurring: { interval: 'month' },
      lookup_key: 'assay_plan_2k',
      transfer_lookup_key: true,
      metadata: { assay_plan: '2K' },
    });

    await call(['setup']);

    const [right] = (await stripe.prices.list({ lookup_keys: ['assay_plan_2k'] })).data;
    expect(right).toMatchObject({ unit_amount: 700, active: true });
    expect((await stripe.prices.retrieve(dearer.id)).active).toBe(false);
  });

  it('strays shows customers that this installation does not know and whether they pay; delete-stray deletes them', async () => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.url };
    const ownerId = await database.db.transaction().execute((tx) => insertCustomer(tx, new Date()));
    const createFor = (metadata: Record<string, string>) => stripe.customers.create({ metadata });
    const known = await createFor({ assay_user: ownerId });
    await setCustomer(database.db, { ownerId, customerReference: known.id });
    const [second, lost] = [
      await createFor({ assay_user: ownerId }),
      await createFor({ assay_user: randomUUID() }),
    ];
    await createFor({ another_product: 'x' });
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: lost.id });
    await stripe.customers.update(lost.id, { invoice_settings: { default_payment_method: card.id } });
    const [price] = (await stripe.prices.list({ lookup_keys: ['assay_plan_2k'] })).data;
    await stripe.subscriptions.create({ customer: lost.id, items: [{ price: price?.id ?? '' }] });
    const strays = async (since: string) =>
      (await call(['strays', '--since', since], env)).out.split('\n').map((line) => line.split(/ {2,}/));

    expect(await strays('2020-01-01')).toEqual([
      ['customer', 'created', 'account', 'pays'],
      [lost.id, expect.any(String), 'none', 'yes'],
      [second.id, expect.any(String), ownerId, 'no'],
      [''],
    ]);
    expect(await strays('2999-01-01')).toEqual([
      ['This installation knows every customer at Stripe since then.'],
      [''],
    ]);

    const remove = (id: string) => call(['delete-stray', id, '--reason', 'After a restore'], env);
    expect(await remove(known.id)).toMatchObject({
      code: 1,
      err: expect.stringContaining('No stray customer'),
    });
    expect(await remove(lost.id)).toMatchObject({
      code: 0,
      out: `Customer ${lost.id} is deleted at Stripe.\n`,
    });
    expect((await remove(lost.id)).code).toBe(1);
    expect(await stripe.customers.retrieve(lost.id)).toMatchObject({ deleted: true });
    expect((await strays('2020-01-01')).map(([id]) => id)).toEqual(['customer', second.id, '']);
    const { rows } = await database.pool.query('select kind, about, reason from operator_actions');
    expect(rows).toEqual([{ kind: 'stripe_customer.deleted', about: lost.id, reason: 'After a restore' }]);
    await database.close();
  });

  it.each([
    [['strays'], /--since takes/],
    [['delete-stray', 'x', '--reason', 'y'], /the id of a customer at Stripe/],
    [['delete-stray', 'cus_1'], /--reason takes/],
  ])('%j is answered with how to ask', async (argv, complaint) => {
    expect(await call(argv)).toMatchObject({ code: 2, err: expect.stringMatching(complaint) });
  });

  it('names missing settings, and prints its usage', async () => {
    await expect(call(['setup'], { STRIPE_SECRET_KEY: '', PUBLIC_URL: '' })).rejects.toThrow(
      /STRIPE_SECRET_KEY must be given[\s\S]*PUBLIC_URL must be given/,
    );
    expect((await call([])).code).toBe(2);
  });
});
