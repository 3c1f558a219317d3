import type Stripe from 'stripe';

/**
 * The SDK's own types describe what its callers see: expanded or not, with decimals as objects. On the wire, and in
 * our store, references are ids and decimals are strings. Deriving ours from theirs makes the compiler the contract:
 * a field that the API version adds, moves or drops stops our build.
 */
type IdInPlaceOf<Field> = string extends Field ? Exclude<Field, { id: string }> : Field;

type Wire<T> = T extends Stripe.Decimal
  ? string
  : T extends string
    ? T
    : T extends readonly (infer Item)[]
      ? Wire<IdInPlaceOf<Item>>[]
      : T extends object
        ? { [Field in keyof T]: Wire<IdInPlaceOf<T[Field]>> }
        : T;

export type Customer = Wire<Stripe.Customer>;
export type DeletedCustomer = Wire<Stripe.DeletedCustomer>;
export type Product = Wire<Stripe.Product>;
export type Price = Wire<Stripe.Price>;
export type Plan = Wire<Stripe.Plan>;
export type PaymentMethod = Wire<Stripe.PaymentMethod>;
export type PaymentIntent = Wire<Stripe.PaymentIntent>;
export type SetupIntent = Wire<Stripe.SetupIntent>;
export type Charge = Wire<Stripe.Charge>;
export type Dispute = Wire<Stripe.Dispute>;
export type Refund = Wire<Stripe.Refund>;
export type Subscription = Wire<Stripe.Subscription>;
export type SubscriptionItem = Wire<Stripe.SubscriptionItem>;
export type SubscriptionSchedule = Wire<Stripe.SubscriptionSchedule>;
export type SchedulePhase = SubscriptionSchedule['phases'][number];
export type Invoice = Wire<Stripe.Invoice>;
export type InvoiceLine = Wire<Stripe.InvoiceLineItem>;
export type InvoicePayment = Wire<Stripe.InvoicePayment>;
export type CheckoutSession = Wire<Stripe.Checkout.Session>;
export type CheckoutLine = Wire<Stripe.LineItem>;
export type PortalConfiguration = Wire<Stripe.BillingPortal.Configuration>;
export type PortalFeatures = PortalConfiguration['features'];
export type PortalSession = Wire<Stripe.BillingPortal.Session>;
export type WebhookEndpoint = Wire<Stripe.WebhookEndpoint>;
export type EventType = Stripe.Event['type'];
export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/** The version of the API whose shapes these are; the SDK sends it with every call. */
export const apiVersion = '2026-10-28.endive' satisfies typeof Stripe.API_VERSION;
