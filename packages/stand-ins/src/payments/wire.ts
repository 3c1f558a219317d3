import type Stripe from 'stripe';

/**
 * The SDK's types describe what its callers see: references expanded or not. On the wire, and in our store, references
 * are ids.
 */
type IdInPlaceOf<Field> = string extends Field ? Exclude<Field, { id: string }> : Field;

type Wire<T> = T extends string
  ? T
  : T extends readonly (infer Item)[]
    ? Wire<IdInPlaceOf<Item>>[]
    : T extends object
      ? { [Field in keyof T]?: Wire<IdInPlaceOf<T[Field]>> }
      : T;

/**
 * The fields of an object that the product, the pages and the tests read. The compiler compares them with the SDK's own
 * declarations, so a field that the API version moves or drops stops the build.
 */
type Fields<Sdk, Ours extends Wire<Sdk>> = Ours;

type Metadata = Record<string, string>;

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export type Customer = Fields<
  Stripe.Customer,
  {
    id: string;
    object: 'customer';
    address: Address | null;
    /** Below 0 for credit, which pays the next invoices; above 0 for a debt, which the next one adds. */
    balance: number;
    created: number;
    email: string | null;
    invoice_prefix: string;
    invoice_settings: { default_payment_method: string | null };
    metadata: Metadata;
    name: string | null;
    next_invoice_sequence: number;
  }
>;

export type Address = Fields<
  Stripe.Address,
  {
    city: string | null;
    country: string | null;
    line1: string | null;
    line2: string | null;
    postal_code: string | null;
    state: string | null;
  }
>;

export type TaxId = Fields<
  Stripe.TaxId,
  { id: string; object: 'tax_id'; created: number; customer: string; type: Stripe.TaxId.Type; value: string }
>;

export type DeletedCustomer = Fields<
  Stripe.DeletedCustomer,
  { id: string; object: 'customer'; deleted: true }
>;

export type Product = Fields<
  Stripe.Product,
  {
    id: string;
    object: 'product';
    active: boolean;
    description: string | null;
    metadata: Metadata;
    name: string;
  }
>;

export type Price = Fields<
  Stripe.Price,
  {
    id: string;
    object: 'price';
    active: boolean;
    currency: string;
    lookup_key: string | null;
    metadata: Metadata;
    product: string;
    /** Null for a price that is paid once. */
    recurring: { interval: 'month'; interval_count: number } | null;
    unit_amount: number;
  }
>;

export type PaymentMethod = Fields<
  Stripe.PaymentMethod,
  {
    id: string;
    object: 'payment_method';
    card: { brand: string; exp_month: number; exp_year: number; fingerprint: string; last4: string };
    customer: string | null;
  }
>;

export type Charge = Fields<
  Stripe.Charge,
  {
    id: string;
    object: 'charge';
    amount: number;
    amount_refunded: number;
    created: number;
    customer: string;
    disputed: boolean;
    paid: boolean;
    payment_intent: string;
    payment_method: string;
    /** Null for a charge that an invoice is about. */
    receipt_url: string | null;
    refunded: boolean;
  }
>;

/** A payment of its own, outside invoices of subscriptions. */
export type PaymentIntent = Fields<
  Stripe.PaymentIntent,
  {
    id: string;
    object: 'payment_intent';
    amount: number;
    amount_received: number;
    created: number;
    currency: string;
    customer: string;
    description: string | null;
    last_payment_error: { code: string } | null;
    latest_charge: string | null;
    metadata: Metadata;
    /** Null after a decline. */
    payment_method: string | null;
    status: 'requires_confirmation' | 'requires_payment_method' | 'canceled' | 'succeeded';
  }
>;

export type Refund = Fields<
  Stripe.Refund,
  {
    id: string;
    object: 'refund';
    amount: number;
    charge: string;
    status: 'succeeded' | 'failed';
  }
>;

export type Dispute = Fields<
  Stripe.Dispute,
  {
    id: string;
    object: 'dispute';
    amount: number;
    charge: string;
    status: 'needs_response' | 'under_review' | 'won' | 'lost';
  }
>;

export type SubscriptionItem = Fields<
  Stripe.SubscriptionItem,
  {
    id: string;
    object: 'subscription_item';
    current_period_end: number;
    current_period_start: number;
    price: Price;
    quantity: number;
    subscription: string;
  }
>;

export type Subscription = Fields<
  Stripe.Subscription,
  {
    id: string;
    object: 'subscription';
    billing_cycle_anchor: number;
    cancel_at: number | null;
    cancel_at_period_end: boolean;
    created: number;
    currency: string;
    customer: string;
    default_payment_method: string | null;
    ended_at: number | null;
    items: List<SubscriptionItem>;
    latest_invoice: string | null;
    schedule: string | null;
    status: 'incomplete' | 'active' | 'past_due' | 'canceled';
  }
>;

export interface SchedulePhase {
  start_date: number;
  end_date: number;
  items: { price: string; quantity: number }[];
}

export type SubscriptionSchedule = Fields<
  Stripe.SubscriptionSchedule,
  {
    id: string;
    object: 'subscription_schedule';
    current_phase: { start_date: number; end_date: number } | null;
    customer: string;
    phases: SchedulePhase[];
    status: 'active' | 'released' | 'canceled';
    subscription: string | null;
  }
>;

export type InvoiceLine = Fields<
  Stripe.InvoiceLineItem,
  {
    id: string;
    object: 'line_item';
    amount: number;
    currency: string;
    description: string;
    /** Null for a line that no subscription caused. */
    parent: {
      subscription_item_details: { proration: false; subscription: string; subscription_item: string };
      type: 'subscription_item_details';
    } | null;
    period: { start: number; end: number };
    /** Null for a line with an amount of its own. */
    pricing: { price_details: { price: string; product: string }; type: 'price_details' } | null;
    quantity: number;
  }
>;

export type Invoice = Fields<
  Stripe.Invoice,
  {
    id: string;
    object: 'invoice';
    amount_due: number;
    amount_paid: number;
    amount_remaining: number;
    attempt_count: number;
    automatically_finalizes_at: number | null;
    billing_reason: 'manual' | 'subscription_create' | 'subscription_cycle' | 'subscription_update';
    created: number;
    currency: string;
    customer: string;
    customer_address: Address | null;
    customer_email: string | null;
    customer_name: string | null;
    customer_tax_ids: Pick<TaxId, 'type' | 'value'>[];
    ending_balance: number | null;
    hosted_invoice_url: string | null;
    invoice_pdf: string | null;
    lines: List<InvoiceLine>;
    metadata: Record<string, string>;
    next_payment_attempt: number | null;
    number: string | null;
    parent: { subscription_details: { subscription: string }; type: 'subscription_details' } | null;
    starting_balance: number;
    status: 'draft' | 'open' | 'paid' | 'void';
    status_transitions: { finalized_at: number | null; paid_at: number | null };
    total: number;
  }
>;

export type InvoicePayment = Fields<
  Stripe.InvoicePayment,
  {
    id: string;
    object: 'invoice_payment';
    invoice: string;
    payment: { payment_intent: string; type: 'payment_intent' };
    status: 'open' | 'paid';
  }
>;

export type CheckoutSession = Fields<
  Stripe.Checkout.Session,
  {
    id: string;
    object: 'checkout.session';
    cancel_url: string | null;
    customer: string;
    expires_at: number;
    invoice: string | null;
    mode: 'payment' | 'subscription';
    payment_intent: string | null;
    status: 'open' | 'complete' | 'expired';
    success_url: string;
    url: string | null;
  }
>;

export type PortalConfiguration = Fields<
  Stripe.BillingPortal.Configuration,
  {
    id: string;
    object: 'billing_portal.configuration';
    active: boolean;
    business_profile: { headline: string | null };
    default_return_url: string | null;
    features: {
      invoice_history: { enabled: boolean };
      payment_method_update: { enabled: boolean };
      subscription_cancel: { enabled: boolean; mode: 'at_period_end' };
      subscription_update: {
        billing_cycle_anchor: 'now';
        default_allowed_updates: 'price'[];
        enabled: boolean;
        products: { prices: string[]; product: string }[];
        proration_behavior: 'none';
        schedule_at_period_end: { conditions: { type: 'decreasing_item_amount' }[] };
      };
    };
    metadata: Metadata;
  }
>;

export type PortalSession = Fields<
  Stripe.BillingPortal.Session,
  {
    id: string;
    object: 'billing_portal.session';
    configuration: string;
    customer: string;
    flow: {
      after_completion: { redirect: { return_url: string }; type: 'redirect' };
      subscription_update_confirm: {
        items: { id: string; price: string; quantity: number }[];
        subscription: string;
      } | null;
      type: 'payment_method_update' | 'subscription_update_confirm';
    } | null;
    return_url: string | null;
    url: string;
  }
>;

/** The events that the product listens to. The real service sends an endpoint only those it asked for. */
export type EventType = Extract<
  Stripe.Event['type'],
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.dispute.funds_reinstated'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.refunded'
  | 'customer.deleted'
  | 'customer.subscription.created'
  | 'customer.subscription.deleted'
  | 'customer.subscription.updated'
  | 'invoice.paid'
  | 'invoice.payment_failed'
  | 'invoice.voided'
  | 'payment_intent.succeeded'
  | 'refund.failed'
  | 'refund.updated'
  | 'subscription_schedule.canceled'
  | 'subscription_schedule.created'
  | 'subscription_schedule.released'
  | 'subscription_schedule.updated'
>;

/** The version of the API whose shapes these are; the SDK sends it with every call. */
export const apiVersion = '2026-10-28.endive' satisfies typeof Stripe.API_VERSION;
