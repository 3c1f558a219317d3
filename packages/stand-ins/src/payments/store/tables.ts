import type Stripe from 'stripe';
import type { Customer, DeletedCustomer, Objects } from '../objects.ts';

/** Everything the stand-in remembers, by kind: the API's own objects, under their own names, and what it needs besides. */
export interface Tables extends Omit<Objects, 'customer'> {
  customer: Customer | DeletedCustomer;
  event: StoredEvent;
  aftermath: Aftermath;
  order: CheckoutOrder;
  page: PageAccess;
  delivery: Delivery;
  replay: Replay;
}

export type Kind = keyof Tables;

export interface StoredEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object };
  livemode: false;
  pending_webhooks: number;
  type: Stripe.Event['type'];
}

/** What a test card causes a while after it has paid. The id is that of the charge or refund that it changes. */
interface Aftermath {
  id: string;
  kind: 'dispute' | 'refund_failure';
  dueAt: number;
}

/** What a checkout session sells. Ids are those of the sessions. */
interface CheckoutOrder {
  id: string;
  items: { price: string }[];
  /** For the payment intent of a payment that is made once. */
  metadata?: Record<string, string>;
}

/** The hosted page that the holder of a token may open. Ids are the tokens. */
export interface PageAccess {
  id: string;
  page: 'portal' | 'checkout' | 'invoice' | 'receipt';
  target: string;
  created: number;
}

/** An event that the webhook endpoint has not accepted yet. */
export interface Delivery {
  id: string;
  event: string;
  attempts: number;
  nextAttemptAt: number;
}

/** The answer to a call with an idempotency key, given again to the same call. Ids are the keys. */
interface Replay {
  id: string;
  fingerprint: string;
  status: number;
  body: string;
  created: number;
}
