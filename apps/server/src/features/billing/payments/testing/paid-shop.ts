import { API_BASE, type PackCode, type PlanCode, type Transaction, type Wallet } from '@assay/contract';
import { freePort } from '@assay/postgres/testing/free-port';
import { type Payments, type PaymentsOptions, startPayments } from '@assay/stand-ins/payments';
import Stripe from 'stripe';
import { createLogger } from '../../../../platform/logging/index.ts';
import { startTestApi, type TestApi } from '../../../../testing/api.ts';
import type { MovableClock } from '../../../../testing/clock.ts';
import { findReceiptAddress } from '../../../users/index.ts';
import { getWallet } from '../../billing.service.ts';
import { captureHold, placeHold } from '../../credit-ledger.store.ts';
import { renewFreePlans } from '../../free-renewal.ts';
import { listTransactions } from '../../history.ts';
import { auditLedger } from '../../ledger-audit.store.ts';
import { catchUpPayments, type MaintenanceParts, maintainPayments } from '../maintain-payments.ts';
import { findPayer, type Payer } from '../payments.store.ts';
import { webhookPath } from '../provider.ts';
import { createStripeGateway } from '../stripe/stripe.client.ts';
import { lookupKeyOf } from '../stripe/stripe.names.ts';
import { setUpStripe } from '../stripe/stripe.setup.ts';

export const webhookSecret = 'whsec_paid_shop';
const secretKey = 'sk_test_paid_shop';

/** The whole API, its payments and a clock that both live by. */
export interface PaidShop {
  readonly api: TestApi;
  readonly payments: Payments;
  readonly stripe: Stripe;
  /** What the workers are given. */
  readonly parts: MaintenanceParts;
  now(): Date;
  /** Signs somebody up and sets them up for payments, with one of the documented test cards when named. */
  signUp(options?: { card?: string }): Promise<Subscriber>;
  /** Moves time on, day by day, with what the workers do every minute done at each stop. */
  advanceTo(moment: string | Date): Promise<void>;
  /** What the workers do. */
  maintain(): Promise<void>;
  catchUp(): Promise<void>;
  priceOf(plan: PlanCode): Promise<string>;
  /** Each place where the books do not agree. */
  audit(): Promise<unknown[]>;
  close(): Promise<void>;
}

export interface Subscriber {
  readonly ownerId: string;
  readonly customerId: string;
  /** Good for the moment: tokens do not live for months. */
  token(): Promise<string>;
  /** Signs in anew, after the identity provider has heard of another address. */
  changeAddress(email: string): Promise<void>;
  account(): Promise<Payer>;
  wallet(): Promise<Wallet>;
  history(): Promise<Transaction[]>;
  useCard(name: string): Promise<void>;
  /** What the portal does when a larger plan is confirmed. */
  upgradeTo(plan: PlanCode): Promise<void>;
  /** Confirms a smaller plan in the portal. */
  downgradeTo(plan: PlanCode): Promise<void>;
  /** What the portal does when the plan is cancelled. */
  cancelAtMonthsEnd(): Promise<void>;
  /** Opens the checkout of a pack. */
  orderPack(pack: PackCode): Promise<Order>;
  spend(credits: number): Promise<void>;
  hold(credits: number): Promise<void>;
}

interface Order {
  readonly checkoutId: string;
  /** Types a card into the checkout's page; answers the page's status. */
  pay(cardNumber?: string): Promise<number>;
}

export async function openPaidShop(options: Partial<PaymentsOptions> = {}): Promise<PaidShop> {
  const port = await freePort();
  const webhookUrl = `http://127.0.0.1:${port}${API_BASE}${webhookPath}`;
  let clockOf: () => Date = () => new Date();
  const payments = await startPayments({
    secretKey,
    now: new Date('2026-01-31T10:00:00Z'),
    webhook: { url: webhookUrl, secret: webhookSecret },
    signingTime: () => clockOf(),
    ...options,
  });
  clockOf = () => payments.clock.now();
  // Nothing of the API waits by this clock in these tests.
  const clock: MovableClock = {
    now: () => payments.clock.now(),
    steadyMs: () => performance.now(),
    schedule: () => () => undefined,
    set: () => undefined,
    advance: () => undefined,
    jump: () => undefined,
  };
  const api = await startTestApi({
    clock,
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: payments.origin,
      RATE_LIMIT_PER_ADDRESS: '1000000',
    },
  });
  await api.app.listen({ port, host: '127.0.0.1' });
  const stripeOptions = { secretKey, apiUrl: payments.origin };
  await setUpStripe({ ...stripeOptions, publicUrl: api.config.publicUrl }, () => undefined);
  const stripe = new Stripe(secretKey, {
    host: payments.host,
    port: payments.port,
    protocol: 'http',
    telemetry: false,
  });
  const { db } = api.database;
  const parts: MaintenanceParts = {
    db,
    clock,
    graceDays: api.config.payments.graceDays,
    gateway: await createStripeGateway({ ...stripeOptions, webhookSecret }),
    logger: createLogger({ level: 'silent', process: 'test' }),
    findAddress: (ownerId) => findReceiptAddress(db, ownerId),
  };
  const signal = new AbortController().signal;

  const shop: PaidShop = {
    api,
    payments,
    stripe,
    parts,
    now: () => payments.clock.now(),
    signUp: (order) => signUp(shop, order),
    advanceTo: async (moment) => {
      const target = new Date(moment);
      while (payments.clock.now() < target) {
        const tomorrow = new Date(payments.clock.now().getTime() + 86_400_000);
        await payments.clock.advanceTo(tomorrow < target ? tomorrow : target);
        await shop.maintain();
      }
    },
    maintain: async () => {
      await renewFreePlans(parts);
      await maintainPayments(parts, signal);
      await payments.webhooks.settled();
    },
    catchUp: () => catchUpPayments(parts, signal),
    priceOf: async (plan) => {
      const key = lookupKeyOf({ code: plan, monthlyCredits: 0, monthlyCostCents: 0 });
      const { data } = await stripe.prices.list({ lookup_keys: [key] });
      if (!data[0]) throw new Error(`no price for ${plan}`);
      return data[0].id;
    },
    audit: async () => {
      const found: unknown[] = [];
      for await (const disagreement of auditLedger(db)) found.push(disagreement);
      return found;
    },
    close: async () => {
      await payments.close();
      await api.close();
    },
  };
  return shop;
}

async function signUp(shop: PaidShop, { card }: { card?: string } = {}): Promise<Subscriber> {
  const { api, stripe, payments } = shop;
  const { db } = api.database;
  const sub = crypto.randomUUID();
  const email = `${sub}@example.com`;
  const token = () => api.tokenFor({ sub, email });
  const { id: ownerId } = (await api.call('GET', '/users/me', { token: await token() })).json();
  await shop.maintain();
  const account = async () => {
    const found = await findPayer(db, ownerId);
    if (!found) throw new Error('the account is gone');
    return found;
  };
  const customerId = (await account()).customerReference ?? '';
  const subscriptionOf = async () =>
    stripe.subscriptions.retrieve((await account()).subscriptionReference ?? '');
  const itemOf = async () => {
    const [item] = (await subscriptionOf()).items.data;
    if (!item) throw new Error('the subscription has no item');
    return item;
  };
  const place = async (credits: number, settle: boolean) => {
    const reference = `list:${crypto.randomUUID()}` as const;
    await db.transaction().execute(async (tx) => {
      const now = shop.now();
      const hold = await placeHold(tx, { ownerId, reference, credits, now });
      if (!hold.placed) throw new Error('not enough credits to spend');
      if (!settle) return;
      const words = { category: 'VERIFICATION', source: 'LIST', description: 'A list' } as const;
      await captureHold(tx, { ownerId, reference, dueCredits: credits, now, ...words });
    });
  };

  const subscriber: Subscriber = {
    ownerId,
    customerId,
    token,
    changeAddress: async (changed) => {
      await payments.clock.advanceTo(new Date(shop.now().getTime() + 1_000));
      await api.call('GET', '/users/me', { token: await api.tokenFor({ sub, email: changed }) });
    },
    account,
    wallet: () => getWallet(shop.parts, ownerId),
    history: async () =>
      (
        await listTransactions({ db, findListNames: async () => new Map() }, ownerId, {
          page_size: 100,
          page_number: 1,
        })
      ).results.toReversed(),
    useCard: async (name) => {
      const method = await stripe.paymentMethods.attach(name, { customer: customerId });
      await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: method.id } });
    },
    upgradeTo: async (plan) => {
      await stripe.subscriptions.update((await subscriptionOf()).id, {
        items: [{ id: (await itemOf()).id, price: await shop.priceOf(plan) }],
        proration_behavior: 'none',
        billing_cycle_anchor: { type: 'now' },
        payment_behavior: 'error_if_incomplete',
      });
      await payments.webhooks.settled();
    },
    downgradeTo: async (plan) => {
      const [configuration] = (await stripe.billingPortal.configurations.list()).data;
      const { url } = await stripe.billingPortal.sessions.create({
        customer: customerId,
        configuration: configuration?.id ?? '',
        flow_data: {
          type: 'subscription_update_confirm',
          subscription_update_confirm: {
            subscription: (await subscriptionOf()).id,
            items: [{ id: (await itemOf()).id, price: await shop.priceOf(plan), quantity: 1 }],
          },
          after_completion: { type: 'redirect', redirect: { return_url: api.config.publicUrl } },
        },
      });
      const confirmation = await fetch(url);
      await fetch(confirmation.url, { method: 'POST', redirect: 'manual' });
      await payments.webhooks.settled();
    },
    cancelAtMonthsEnd: async () => {
      await stripe.subscriptions.update((await subscriptionOf()).id, { cancel_at_period_end: true });
      await payments.webhooks.settled();
    },
    orderPack: async (pack) => {
      const bought = await api.call('POST', '/billing/me/packs', { token: await token(), body: { pack } });
      const { checkout_url } = bought.json();
      const [session] = (await stripe.checkout.sessions.list({ limit: 1 })).data;
      return {
        checkoutId: session?.id ?? '',
        pay: async (number = '4242424242424242') => {
          const body = new URLSearchParams({ number, expiry: '12 / 39', cvc: '123', name: 'Jane Doe' });
          const { status } = await fetch(checkout_url, { method: 'POST', body, redirect: 'manual' });
          await payments.webhooks.settled();
          return status;
        },
      };
    },
    spend: (credits) => place(credits, true),
    hold: (credits) => place(credits, false),
  };
  if (card !== undefined) await subscriber.useCard(card);
  return subscriber;
}
