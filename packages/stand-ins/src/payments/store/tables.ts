import type {
  Charge,
  CheckoutSession,
  Customer,
  DeletedCustomer,
  Dispute,
  Invoice,
  InvoicePayment,
  PaymentIntent,
  PaymentMethod,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  Refund,
  StoredEvent,
  Subscription,
  SubscriptionSchedule,
  TaxId,
} from '../objects.ts';

/** Everything the stand-in remembers, by kind. The first group is the API's own objects, under their own names. */
export interface Tables {
  customer: Customer | DeletedCustomer;
  tax_id: TaxId;
  product: Product;
  price: Price;
  payment_method: PaymentMethod;
  charge: Charge;
  payment_intent: PaymentIntent;
  refund: Refund;
  dispute: Dispute;
  subscription: Subscription;
  subscription_schedule: SubscriptionSchedule;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  'checkout.session': CheckoutSession;
  'billing_portal.configuration': PortalConfiguration;
  'billing_portal.session': PortalSession;
  event: StoredEvent;

  aftermath: Aftermath;
  order: CheckoutOrder;
  page: PageAccess;
  delivery: Delivery;
  replay: Replay;
}

export type Kind = keyof Tables;

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
  lastUsed: number | null;
}

/** An event that the webhook endpoint has not accepted yet. */
export interface Delivery {
  id: string;
  event: string;
  attempts: number;
  nextAttemptAt: number;
}

/** The answer to a call with an idempotency key, given again to the same call. Ids are the keys. */
export interface Replay {
  id: string;
  fingerprint: string;
  status: number;
  body: string;
  created: number;
}
