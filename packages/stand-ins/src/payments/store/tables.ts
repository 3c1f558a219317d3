import type {
  Charge,
  CheckoutSession,
  Customer,
  DeletedCustomer,
  Dispute,
  EventType,
  Invoice,
  InvoicePayment,
  PaymentIntent,
  PaymentMethod,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  Refund,
  SetupIntent,
  Subscription,
  SubscriptionSchedule,
  WebhookEndpoint,
} from '../wire.ts';

/** Everything the stand-in remembers, by kind. The first group is the API's own objects, under their own names. */
export interface Tables {
  customer: Customer | DeletedCustomer;
  product: Product;
  price: Price;
  payment_method: PaymentMethod;
  payment_intent: PaymentIntent;
  setup_intent: SetupIntent;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  subscription: Subscription;
  subscription_schedule: SubscriptionSchedule;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  'checkout.session': CheckoutSession;
  'billing_portal.configuration': PortalConfiguration;
  'billing_portal.session': PortalSession;
  webhook_endpoint: WebhookEndpoint;
  event: StoredEvent;

  card: CardOnFile;
  aftermath: Aftermath;
  order: CheckoutOrder;
  page: PageAccess;
  delivery: Delivery;
  signing_secret: SigningSecret;
  replay: Replay;
}

export type Kind = keyof Tables;

export interface StoredEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: EventType;
}

/** How a payment method behaves when it is saved and when it is charged. The card's number itself is never kept. */
interface CardOnFile {
  id: string;
  onSetup: CardDecline | null;
  onCharge: CardDecline | null;
  afterwards?: CardAftermath;
}

/** What a card that paid has in store: its holder disputes the charge, or a refund does not reach it. */
export type CardAftermath = 'dispute' | 'refund_failure';

/** Something that a card has in store, on its way. Ids are those of the charge or refund that it will happen to. */
interface Aftermath {
  id: string;
  kind: CardAftermath;
  dueAt: number;
}

export interface CardDecline {
  code: string;
  declineCode?: string;
  message: string;
}

/** What a checkout session will make once it is completed, beyond what its object shows. */
interface CheckoutOrder {
  id: string;
  items: { price: string; quantity: number }[];
  subscriptionMetadata: Record<string, string>;
  subscriptionDescription: string | null;
}

/** Which hosted page the holder of a token may open. Ids are the tokens. */
export interface PageAccess {
  id: string;
  page: 'portal' | 'checkout' | 'invoice';
  target: string;
  created: number;
  lastUsed: number | null;
}

export interface Delivery {
  id: string;
  event: string;
  endpoint: string;
  attempts: number;
  nextAttemptAt: number;
}

interface SigningSecret {
  id: string;
  secret: string;
}

/** The answer to a call with an idempotency key, given again to the same call. Ids are the keys. */
export interface Replay {
  id: string;
  fingerprint: string;
  requestId: string;
  status: number;
  body: string;
  created: number;
}
