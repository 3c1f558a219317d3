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

type Metadata = Record<string, string>;
type IntentStatus = 'requires_confirmation' | 'requires_payment_method' | 'canceled' | 'succeeded';
type BillingReason = 'manual' | 'subscription_create' | 'subscription_cycle' | 'subscription_update';
const noText = null as string | null;
const noNumber = null as number | null;
const no = false as boolean;

export const listOf = <T>(data: T[], url = '', has_more = false) =>
  ({ object: 'list', data, has_more, url }) as const;
export type List<T> = ReturnType<typeof listOf<T>>;

export const addressFields = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const;
export type Address = Record<(typeof addressFields)[number], string | null>;

const price = {
  id: 'price',
  object: 'price',
  active: no,
  currency: '',
  lookup_key: noText,
  metadata: {} as Metadata,
  product: '',
  /** Null for a price that is paid once. */
  recurring: null as { interval: 'month'; interval_count: number } | null,
  unit_amount: 0,
} satisfies Wire<Stripe.Price>;
export type Price = typeof price;

export const blankItem = {
  id: 'si',
  object: 'subscription_item',
  current_period_end: 0,
  current_period_start: 0,
  price: price,
  quantity: 1,
  subscription: '',
} satisfies Wire<Stripe.SubscriptionItem>;
export type SubscriptionItem = typeof blankItem;

export interface SchedulePhase {
  start_date: number;
  end_date: number;
  items: { price: string; quantity: number }[];
}

type LineParent = {
  subscription_item_details: { proration: false; subscription: string; subscription_item: string };
  type: 'subscription_item_details';
};

export const blankLine = {
  id: 'il',
  object: 'line_item',
  amount: 0,
  currency: '',
  description: '',
  /** Null for a line that no subscription caused. */
  parent: null as LineParent | null,
  period: { start: 0, end: 0 },
  /** Null for a line with an amount of its own. */
  pricing: null as { price_details: { price: string; product: string }; type: 'price_details' } | null,
  quantity: 1,
} satisfies Wire<Stripe.InvoiceLineItem>;
export type InvoiceLine = typeof blankLine;

interface PortalFlow {
  after_completion: { redirect: { return_url: string }; type: 'redirect' };
  subscription_update_confirm: {
    items: { id: string; price: string; quantity: number }[];
    subscription: string;
  } | null;
  type: 'payment_method_update' | 'subscription_update_confirm';
}

/**
 * Every object of the API, blank: the fields that the product, the pages and the tests read, and the prefix of its ids. The
 * compiler compares them with the SDK's own declarations, so a field that the API version moves or drops stops the build.
 */
export const blank = {
  price,
  customer: {
    id: 'cus',
    object: 'customer',
    address: null as Address | null,
    /** Below 0 for credit, which pays the next invoices; above 0 for a debt, which the next one adds. */
    balance: 0,
    created: 0,
    email: noText,
    invoice_settings: { default_payment_method: noText },
    metadata: {} as Metadata,
    name: noText,
  } satisfies Wire<Stripe.Customer>,
  tax_id: {
    id: 'txi',
    object: 'tax_id',
    customer: '',
    type: 'eu_vat' as Stripe.TaxId.Type,
    value: '',
  } satisfies Wire<Stripe.TaxId>,
  product: {
    id: 'prod',
    object: 'product',
    active: no,
    description: noText,
    metadata: {} as Metadata,
    name: '',
  } satisfies Wire<Stripe.Product>,
  payment_method: {
    id: 'pm',
    object: 'payment_method',
    card: { brand: 'visa', exp_month: 0, exp_year: 0, fingerprint: '', last4: '' },
    customer: noText,
  } satisfies Wire<Stripe.PaymentMethod>,
  charge: {
    id: 'ch',
    object: 'charge',
    amount: 0,
    amount_refunded: 0,
    created: 0,
    customer: '',
    disputed: no,
    paid: no,
    payment_intent: '',
    payment_method: '',
    /** Null for a charge that an invoice is about. */
    receipt_url: noText,
    refunded: no,
  } satisfies Wire<Stripe.Charge>,
  payment_intent: {
    id: 'pi',
    object: 'payment_intent',
    amount: 0,
    amount_received: 0,
    created: 0,
    currency: '',
    customer: '',
    description: noText,
    last_payment_error: null as { code: string } | null,
    latest_charge: noText,
    metadata: {} as Metadata,
    /** Null after a decline. */
    payment_method: noText,
    status: 'requires_confirmation' as IntentStatus,
  } satisfies Wire<Stripe.PaymentIntent>,
  refund: {
    id: 're',
    object: 'refund',
    amount: 0,
    charge: '',
    status: 'succeeded' as 'succeeded' | 'failed',
  } satisfies Wire<Stripe.Refund>,
  dispute: {
    id: 'dp',
    object: 'dispute',
    amount: 0,
    charge: '',
    status: 'needs_response' as 'needs_response' | 'won' | 'lost',
  } satisfies Wire<Stripe.Dispute>,
  subscription: {
    id: 'sub',
    object: 'subscription',
    billing_cycle_anchor: 0,
    cancel_at: noNumber,
    cancel_at_period_end: no,
    created: 0,
    customer: '',
    default_payment_method: noText,
    ended_at: noNumber,
    items: listOf<SubscriptionItem>([], ''),
    latest_invoice: noText,
    schedule: noText,
    status: 'incomplete' as 'incomplete' | 'active' | 'past_due' | 'canceled',
  } satisfies Wire<Stripe.Subscription>,
  subscription_schedule: {
    id: 'sub_sched',
    object: 'subscription_schedule',
    current_phase: null as { start_date: number; end_date: number } | null,
    customer: '',
    phases: [] as SchedulePhase[],
    status: 'active' as 'active' | 'released' | 'canceled',
    subscription: noText,
  } satisfies Wire<Stripe.SubscriptionSchedule>,
  invoice: {
    id: 'in',
    object: 'invoice',
    amount_due: 0,
    amount_paid: 0,
    amount_remaining: 0,
    attempt_count: 0,
    automatically_finalizes_at: noNumber,
    billing_reason: 'manual' as BillingReason,
    created: 0,
    currency: '',
    customer: '',
    customer_address: null as Address | null,
    customer_email: noText,
    customer_name: noText,
    customer_tax_ids: [] as { type: Stripe.TaxId.Type; value: string }[],
    hosted_invoice_url: noText,
    invoice_pdf: noText,
    lines: listOf<InvoiceLine>([], ''),
    metadata: {} as Metadata,
    next_payment_attempt: noNumber,
    number: noText,
    parent: null as { subscription_details: { subscription: string }; type: 'subscription_details' } | null,
    status: 'draft' as 'draft' | 'open' | 'paid' | 'void',
    status_transitions: { finalized_at: noNumber, paid_at: noNumber },
    total: 0,
  } satisfies Wire<Stripe.Invoice>,
  invoice_payment: {
    id: 'inpay',
    object: 'invoice_payment',
    invoice: '',
    payment: { payment_intent: '', type: 'payment_intent' },
    status: 'open' as 'open' | 'paid',
  } satisfies Wire<Stripe.InvoicePayment>,
  'checkout.session': {
    id: 'cs_test',
    object: 'checkout.session',
    cancel_url: noText,
    customer: '',
    expires_at: 0,
    invoice: noText,
    mode: 'payment' as 'payment' | 'subscription',
    payment_intent: noText,
    status: 'open' as 'open' | 'complete' | 'expired',
    success_url: '',
    url: noText,
  } satisfies Wire<Stripe.Checkout.Session>,
  'billing_portal.configuration': {
    id: 'bpc',
    object: 'billing_portal.configuration',
    active: true,
    default_return_url: noText,
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        billing_cycle_anchor: 'now',
        default_allowed_updates: ['price'],
        enabled: true,
        products: [] as { prices: string[]; product: string }[],
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
      },
    },
    metadata: {} as Metadata,
  } satisfies Wire<Stripe.BillingPortal.Configuration>,
  'billing_portal.session': {
    id: 'bps',
    object: 'billing_portal.session',
    configuration: '',
    customer: '',
    flow: null as PortalFlow | null,
    return_url: noText,
    url: '',
  } satisfies Wire<Stripe.BillingPortal.Session>,
};

export type Objects = typeof blank;
export type Customer = Objects['customer'];
export type TaxId = Objects['tax_id'];
export type Product = Objects['product'];
export type PaymentMethod = Objects['payment_method'];
export type Charge = Objects['charge'];
export type PaymentIntent = Objects['payment_intent'];
export type Refund = Objects['refund'];
export type Dispute = Objects['dispute'];
export type Subscription = Objects['subscription'];
export type SubscriptionSchedule = Objects['subscription_schedule'];
export type Invoice = Objects['invoice'];
export type InvoicePayment = Objects['invoice_payment'];
export type CheckoutSession = Objects['checkout.session'];
export type PortalConfiguration = Objects['billing_portal.configuration'];
export type PortalSession = Objects['billing_portal.session'];
export type DeletedCustomer = { id: string; object: 'customer'; deleted: true };

/** The version of the API whose shapes these are; the SDK sends it with every call. */
export const apiVersion = '2026-10-28.endive' satisfies typeof Stripe.API_VERSION;
