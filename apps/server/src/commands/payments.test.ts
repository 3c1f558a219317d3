import { PLAN_TIERS } from '@assay/contract';
import { type Payments, startPayments } from '@assay/stand-ins/payments';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './payments.ts';

describe('assay payments setup', () => {
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

  it('names missing settings, and prints its usage', async () => {
    await expect(call(['setup'], { STRIPE_SECRET_KEY: '', PUBLIC_URL: '' })).rejects.toThrow(
      /STRIPE_SECRET_KEY must be given[\s\S]*PUBLIC_URL must be given/,
    );
    expect((await call([])).code).toBe(2);
  });
});
