import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { PLAN_TIERS, type PlanCode } from '@assay/contract';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { type Payments, type PaymentsOptions, startPayments } from '../index.ts';

const secretKey = 'sk_test_shop';
const webhookSecret = 'whsec_shop';

/** A product's side of payments: an SDK that talks to the stand-in and an endpoint that its webhooks reach. */
export interface Shop {
  payments: Payments;
  stripe: Stripe;
  inbox: Inbox;
  /** An SDK with other settings, such as a wrong key. */
  connect(config?: Stripe.StripeConfig, key?: string): Stripe;
}

/** Everything a webhook endpoint received and accepted, its signature checked by the SDK. */
interface Inbox {
  url: string;
  events: Stripe.Event[];
  typesOf(): string[];
  ofType<Type extends Stripe.Event['type']>(type: Type): Extract<Stripe.Event, { type: Type }>[];
  /** The statuses of the next answers; after them every event is accepted. */
  answerNext(...statuses: number[]): void;
  /** What the endpoint does with an event before it answers. */
  handle?: (event: Stripe.Event) => Promise<unknown>;
}

export async function openShop(options: Partial<PaymentsOptions> = {}): Promise<Shop> {
  const inbox = await openInbox();
  const payments = await startPayments({
    secretKey,
    now: new Date('2026-03-05T10:00:00Z'),
    webhook: { url: inbox.url, secret: webhookSecret },
    ...options,
  });
  onTestFinished(() => payments.close());
  const connect: Shop['connect'] = (config, key = secretKey) =>
    new Stripe(key, {
      host: payments.host,
      port: payments.port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
      ...config,
    });
  return { payments, stripe: connect(), inbox, connect };
}

async function openInbox(): Promise<Inbox> {
  const { webhooks } = new Stripe(secretKey);
  const believe = (body: string, signature: string): Stripe.Event | null => {
    try {
      return webhooks.constructEvent(body, signature, webhookSecret);
    } catch {
      return null;
    }
  };
  const events: Stripe.Event[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const event = believe(body, String(request.headers['stripe-signature']));
    const status = event === null ? 400 : (statuses.shift() ?? 200);
    if (event !== null && status < 300) {
      await inbox.handle?.(event);
      events.push(event);
    }
    response.writeHead(status).end();
  });
  await listenOnLoopback(server);
  onTestFinished(() => closeServer(server));
  const inbox: Inbox = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events,
    typesOf: () => events.map(({ type }) => type),
    ofType: (type) =>
      events.filter((event): event is Extract<Stripe.Event, { type: typeof type }> => event.type === type),
    answerNext: (...next) => void statuses.push(...next),
  };
  return inbox;
}

const listenOnLoopback = (server: Server) =>
  new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

const closeServer = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export type Catalog = Record<PlanCode, string> & { products: { product: string; prices: string[] }[] };

/** One product and price per tier, as the operator's command makes them. */
export async function seedCatalog({ stripe }: Shop): Promise<Catalog> {
  const prices: Partial<Record<PlanCode, string>> = {};
  const products: Catalog['products'] = [];
  for (const tier of PLAN_TIERS) {
    const product = await stripe.products.create({
      name: `${tier.code} plan`,
      metadata: { plan: tier.code },
    });
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: tier.monthlyCostCents,
      recurring: { interval: 'month' },
      lookup_key: tier.code,
    });
    prices[tier.code] = price.id;
    products.push({ product: product.id, prices: [price.id] });
  }
  return { ...(prices as Record<PlanCode, string>), products };
}

/** A customer, with one of the documented test cards as default when named. */
export async function seedCustomer({ stripe }: Shop, card?: string): Promise<string> {
  const customer = await stripe.customers.create({ email: 'jane@exists.test' });
  if (card !== undefined) {
    const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
  }
  return customer.id;
}

/** The portal as the product wants it: upgrade at once in full, downgrade and cancellation at the period's end. */
export async function seedPortal({ stripe }: Shop, catalog: Catalog): Promise<string> {
  const configuration = await stripe.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        proration_behavior: 'none',
        billing_cycle_anchor: 'now',
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
        products: catalog.products,
      },
    },
  });
  return configuration.id;
}

/** The first of a subscription's items, which is the only one in most tests. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error('the subscription has no item');
  return item;
}

export const isoDay = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);
