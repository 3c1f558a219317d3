import * as z from 'zod/mini';
import { dateTimeSchema, nothingSchema, switchSchema } from './fields.ts';
import { BALANCE_ALERTS_MAX, TOP_UP_CAP_CENTS_MAX } from './names/billing-limits.ts';
import { FREE_CREDITS_WITHHELD } from './names/free-credits.ts';
import { INVOICE_DETAIL_LENGTHS } from './names/invoice-details.ts';
import { KEY_SCOPES } from './names/key-scopes.ts';
import { CUSTOM_PLAN_MONTHLY_CREDITS_MAX, PACK_CODES, PLAN_CODES } from './names/plans.ts';
import { TOP_UP_STOPS } from './names/top-up-stops.ts';
import { pageOf, pageQuerySchema } from './paging.ts';
import { defineRoute } from './route.ts';
import { keyModeSchema } from './scoped-keys.ts';

const tag = 'Billing';

export const planSchema = z.object({
  code: z.string(),
  monthly_credits: z.number(),
  monthly_cost_in_cents: z.number(),
});

/** A scheduled change of plan. It takes effect on its date. */
export const pendingChangeSchema = z.object({
  kind: z.enum(['plan_change', 'cancellation']),
  /** The plan from that date on: the free one after a cancellation. */
  plan: planSchema,
  date: dateTimeSchema,
});
export type PendingChange = z.output<typeof pendingChangeSchema>;

/** An invoice that could not be collected. */
export const owedPaymentSchema = z.object({
  invoice_id: z.string(),
  amount_in_cents: z.number(),
  /** The plan that it is for. After an upgrade that was not paid, this is the larger plan. */
  plan: planSchema,
  /** The plan ends if it is not paid by then. */
  until: dateTimeSchema,
});
export type OwedPayment = z.output<typeof owedPaymentSchema>;

export const topUpStopSchema = z.enum(TOP_UP_STOPS);

/** What the API key that asks may do, for programs that test a key or plan what they spend. */
const askingKeySchema = z.object({
  /** Null for the first key, which may do everything. */
  name: z.nullable(z.string()),
  mode: keyModeSchema,
  scopes: z.array(z.enum(KEY_SCOPES)),
  monthly_credit_limit: z.nullable(z.number()),
  /** Credits of this calendar month (UTC): those that the key's work cost, and those that it holds. Null for the first key. */
  month_credits: z.nullable(z.number()),
});
export type AskingKey = z.output<typeof askingKeySchema>;

export const walletSchema = z.object({
  /** Credits that the customer can spend: without credits held by running work. */
  balance: z.number(),
  /** Credits that running work has reserved. */
  held: z.number(),
  /** Credits of payments that the bank disputes, until it has decided. They are in no balance. */
  frozen: z.number(),
  /** The lowest of the customer's thresholds that the balance is below; null when it is below none. */
  low_balance_threshold: z.nullable(z.number()),
  /** Why the automatic top-up turned itself off, until the customer changes its settings. */
  top_up_stopped_because: z.nullable(topUpStopSchema),
  /** When the automatic top-up goes on, if it has used up its cap of this month; null if it has not. */
  top_up_paused_until: z.nullable(dateTimeSchema),
  /** Why the account got no free credits; null for one that has them. */
  free_credits_withheld: z.nullable(z.enum(FREE_CREDITS_WITHHELD)),
  subscription: z.object({
    /** `past_due` while a failed payment is owed: plan and credits stay until the grace period ends. */
    status: z.enum(['active', 'past_due']),
    next_renewal_date: dateTimeSchema,
    plan: planSchema,
    pending_change: z.nullable(pendingChangeSchema),
    /** What a customer who is `past_due` owes; null if nothing is, or if the provider has no open invoice. */
    owed: z.nullable(owedPaymentSchema),
  }),
  /** Absent for a signed-in person. */
  api_key: z.optional(askingKeySchema),
});
export type Wallet = z.output<typeof walletSchema>;

/** What an entry of the credits history is about. */
export const transactionCategorySchema = z.enum([
  'GRANT',
  'PURCHASE',
  /** Credits that were bought once. */
  'PACK',
  'COUPON',
  'VERIFICATION',
  'GUESSING',
  'REFUND',
  'ADJUSTMENT',
]);
export type TransactionCategory = z.output<typeof transactionCategorySchema>;

/** Where an entry of the credits history came from. */
export const transactionSourceSchema = z.enum([
  'SIGN_UP',
  'FREE_PLAN',
  'SUBSCRIPTION',
  'CHECKOUT',
  'AUTOMATIC_TOP_UP',
  'COUPON',
  'SINGLE',
  'LIST',
  'SUPPORT',
]);
export type TransactionSource = z.output<typeof transactionSourceSchema>;

export const transactionSchema = z.object({
  /** Numbers the customer's entries from 1 without gaps. */
  number: z.number(),
  category: transactionCategorySchema,
  source: transactionSourceSchema,
  description: z.string(),
  /** In credits: positive for credits added, negative for credits spent or taken back. */
  amount: z.number(),
  /** Includes credits on hold, so that it adds up from one entry to the next while work is running. */
  balance_after: z.number(),
  creation_date: dateTimeSchema,
  /** The list that was paid for; its name is null once it is deleted. */
  list: z.nullable(
    z.object({ id: z.string(), kind: z.enum(['emails', 'people']), name: z.nullable(z.string()) }),
  ),
  /** For single checks that were asked for as one entry: how many, and the further API key that asked for them. */
  checks: z.optional(
    z.object({
      count: z.number(),
      /** Null for the web app and the first key; its name is null once it is revoked. */
      key: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
    }),
  ),
  /** The invoice or payment that paid or refunded these credits; `openInvoice` returns its URL. */
  invoice_id: z.nullable(z.string()),
});
export type Transaction = z.output<typeof transactionSchema>;

const transactionFilter = {
  category: z.optional(transactionCategorySchema),
  source: z.optional(transactionSourceSchema),
  /** Without entries of 0, such as work that cost nothing. */
  hide_zero: z.optional(switchSchema),
};

/** What was spent on one day, in UTC. */
export const spendingDaySchema = z.object({ date: z.string(), credits: z.number() });

export const spendingSchema = z.object({
  /** The last 30 days, oldest first, today among them. */
  days: z.array(spendingDaySchema),
  /** Per day, on average over the last 7 days. */
  credits_per_day: z.number(),
  /** When the balance is used up at that rate; null if nothing was spent, or if that is years away. */
  lasts_until: z.nullable(dateTimeSchema),
});
export type Spending = z.output<typeof spendingSchema>;

/** `refunded` if any of the money went back; `disputed` while a bank examines the payment, and after it decided for the customer. */
export const invoiceStatusSchema = z.enum(['paid', 'open', 'refunded', 'disputed']);
export type InvoiceStatus = z.output<typeof invoiceStatusSchema>;

/** An invoice, or a payment with a receipt. */
export const invoiceSchema = z.object({
  id: z.string(),
  kind: z.enum(['plan', 'pack']),
  /** The code of the plan or of the pack. */
  code: z.string(),
  /** What it added; for an open one, what it adds when it is paid. */
  credits: z.number(),
  status: invoiceStatusSchema,
  total_in_cents: z.number(),
  /** The money that moved: less than the total if a balance at the payment provider paid a part. */
  paid_in_cents: z.number(),
  refunded_in_cents: z.number(),
  /** When it was paid; for an open one, when it was issued. */
  date: dateTimeSchema,
  /** Null for an open one. */
  paid_date: z.nullable(dateTimeSchema),
  /** False for a payment that has a receipt instead: an automatic top-up whose invoice is still to be written, or one that was paid while the customer had a balance. */
  has_pdf: z.boolean(),
});
export type Invoice = z.output<typeof invoiceSchema>;

export const couponRedemptionSchema = z.object({ coupon: z.object({ amount_of_credits: z.number() }) });
export type CouponRedemption = z.output<typeof couponRedemptionSchema>;

/** The result of a redemption. A refusal carries it in the error's meta, as `outcome`. */
export const redeemOutcomeSchema = z.enum(['valid', 'already_used', 'not_found', 'invalid']);
export type RedeemOutcome = z.output<typeof redeemOutcomeSchema>;

export const customerPortalSchema = z.object({ portal_url: z.url() });
export type CustomerPortal = z.output<typeof customerPortalSchema>;

/** A receipt has no PDF. */
export const invoicePageSchema = z.object({ invoice_url: z.url(), pdf_url: z.nullable(z.url()) });
export type InvoicePage = z.output<typeof invoicePageSchema>;

/** Balances below which the customer is alerted, once per crossing. */
export const balanceAlertsSchema = z.strictObject({
  thresholds: z
    .array(z.int().check(z.minimum(1), z.maximum(CUSTOM_PLAN_MONTHLY_CREDITS_MAX)))
    .check(z.maxLength(BALANCE_ALERTS_MAX)),
});
export type BalanceAlerts = z.output<typeof balanceAlertsSchema>;

const topUpOrderFields = {
  is_on: z.boolean(),
  /** A pack is bought when the balance falls below this. */
  below: z.int().check(z.minimum(1), z.maximum(CUSTOM_PLAN_MONTHLY_CREDITS_MAX)),
  pack: z.enum(PACK_CODES),
  /** The most that automatic purchases of a calendar month (UTC) may cost. */
  monthly_cap_in_cents: z.int().check(z.minimum(1), z.maximum(TOP_UP_CAP_CENTS_MAX)),
};
export const automaticTopUpOrderSchema = z.strictObject(topUpOrderFields);
export type AutomaticTopUpOrder = z.output<typeof automaticTopUpOrderSchema>;

export const automaticTopUpSchema = z.object({
  ...topUpOrderFields,
  spent_this_month_in_cents: z.number(),
  stopped_because: z.nullable(topUpStopSchema),
  /** When it goes on, if the cap of this month is used up; null if it is not. */
  paused_until: z.nullable(dateTimeSchema),
});
export type AutomaticTopUp = z.output<typeof automaticTopUpSchema>;

/** The card that is charged; null when none is saved. */
export const paymentMethodSchema = z.object({
  card: z.nullable(
    z.object({ brand: z.string(), last4: z.string(), expiry_month: z.number(), expiry_year: z.number() }),
  ),
});
export type PaymentMethod = z.output<typeof paymentMethodSchema>;

export const packCheckoutSchema = z.object({ checkout_url: z.url() });
export type PackCheckout = z.output<typeof packCheckoutSchema>;

/** Whether the checkout was paid, and how many credits it bought. */
export const packConfirmationSchema = z.object({ is_paid: z.boolean(), credits: z.number() });
export type PackConfirmation = z.output<typeof packConfirmationSchema>;

const detailSchema = (name: keyof typeof INVOICE_DETAIL_LENGTHS) =>
  z.string().check(z.trim(), z.maxLength(INVOICE_DETAIL_LENGTHS[name]));

/** What invoices say about the customer. Empty texts are left out of them. */
export const invoiceDetailsSchema = z.strictObject({
  company: detailSchema('company'),
  line1: detailSchema('line1'),
  line2: detailSchema('line2'),
  postal_code: detailSchema('postal_code'),
  city: detailSchema('city'),
  state: detailSchema('state'),
  /** ISO 3166-1, two letters, or empty. */
  country: z.string().check(z.maxLength(INVOICE_DETAIL_LENGTHS.country), z.regex(/^(?:[A-Z]{2})?$/)),
  tax_number: detailSchema('tax_number'),
});
export type InvoiceDetails = z.output<typeof invoiceDetailsSchema>;

export const billingRoutes = {
  getWallet: defineRoute({
    method: 'GET',
    path: '/billing/me',
    auth: 'user_or_key',
    keyScope: 'any',
    leastRole: 'any',
    tag,
    summary: 'Get balance, plan, next renewal and a scheduled change of plan',
    success: { status: 200, schema: walletSchema },
  }),
  listTransactions: defineRoute({
    method: 'GET',
    path: '/billing/me/transactions',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'List the credits history, newest first',
    query: z.extend(pageQuerySchema, {
      ...transactionFilter,
      /** The single checks of a day (UTC) and API key as one entry, with the number and balance of the last of them. */
      group_singles: z.optional(switchSchema),
    }),
    success: { status: 200, schema: pageOf(transactionSchema) },
  }),
  exportTransactions: defineRoute({
    method: 'POST',
    path: '/billing/me/transactions/export',
    isOpenWhenSuspended: true,
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Get a signed link to a CSV file of the credits history',
    isRepeatable: true,
    query: z.strictObject(transactionFilter),
    success: { status: 200, schema: z.object({ download_link: z.string() }) },
  }),
  getSpending: defineRoute({
    method: 'GET',
    path: '/billing/me/spending',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Get what you spent per day, and how long your balance lasts at this rate',
    success: { status: 200, schema: spendingSchema },
  }),
  listInvoices: defineRoute({
    method: 'GET',
    path: '/billing/me/invoices',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'List invoices and payments with their status, newest first',
    query: pageQuerySchema,
    success: { status: 200, schema: pageOf(invoiceSchema) },
  }),
  getBalanceAlerts: defineRoute({
    method: 'GET',
    path: '/billing/me/alerts',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Get the balances below which you are alerted',
    success: { status: 200, schema: balanceAlertsSchema },
  }),
  setBalanceAlerts: defineRoute({
    method: 'PUT',
    path: '/billing/me/alerts',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary:
      'Set the balances below which you are alerted: on the screen, by mail and by the event balance.low',
    body: balanceAlertsSchema,
    success: { status: 200, schema: balanceAlertsSchema },
  }),
  redeemCoupon: defineRoute({
    method: 'POST',
    path: '/billing/coupons/:coupon_id/redemption',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Redeem a coupon code',
    params: z.strictObject({ coupon_id: z.string().check(z.maxLength(100)) }),
    success: { status: 200, schema: couponRedemptionSchema },
  }),
  openCustomerPortal: defineRoute({
    method: 'GET',
    path: '/billing/me/subscriptions/customer_portal',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary:
      'Get the URL of the customer portal, of the page that confirms the given plan, or of the page that takes a card',
    query: z.strictObject({ plan: z.optional(z.enum(PLAN_CODES)), page: z.optional(z.enum(['card'])) }),
    success: { status: 200, schema: customerPortalSchema },
  }),
  keepPlan: defineRoute({
    method: 'DELETE',
    path: '/billing/me/subscriptions/pending_change',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Keep the current plan: undo a scheduled change or cancellation',
    success: { status: 204, schema: nothingSchema },
  }),
  buyPack: defineRoute({
    method: 'POST',
    path: '/billing/me/packs',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Get the URL of the page where a credit pack is paid',
    body: z.strictObject({ pack: z.enum(PACK_CODES) }),
    success: { status: 201, schema: packCheckoutSchema },
  }),
  confirmPack: defineRoute({
    method: 'POST',
    path: '/billing/me/packs/:checkout_id/confirmation',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Add the credits of a paid checkout now, instead of waiting for the payment provider',
    params: z.strictObject({ checkout_id: z.string().check(z.maxLength(210), z.regex(/^cs_\w{1,200}$/)) }),
    success: { status: 200, schema: packConfirmationSchema },
  }),
  getAutomaticTopUp: defineRoute({
    method: 'GET',
    path: '/billing/me/automatic_top_up',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Get the settings of the automatic top-up, what it cost this month, and why it stopped',
    success: { status: 200, schema: automaticTopUpSchema },
  }),
  setAutomaticTopUp: defineRoute({
    method: 'PUT',
    path: '/billing/me/automatic_top_up',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary:
      'Buy a credit pack with the saved card whenever the balance is low, up to a monthly cap; 409 without a card',
    body: automaticTopUpOrderSchema,
    success: { status: 200, schema: automaticTopUpSchema },
  }),
  getPaymentMethod: defineRoute({
    method: 'GET',
    path: '/billing/me/payment_method',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Get the card that is charged, without its number',
    success: { status: 200, schema: paymentMethodSchema },
  }),
  getInvoiceDetails: defineRoute({
    method: 'GET',
    path: '/billing/me/invoice_details',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Get what invoices say about you: company, address and VAT number',
    success: { status: 200, schema: invoiceDetailsSchema },
  }),
  setInvoiceDetails: defineRoute({
    method: 'PUT',
    path: '/billing/me/invoice_details',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary:
      'Set what invoices say about you from now on; 400 for a VAT number that is not one of the country',
    body: invoiceDetailsSchema,
    success: { status: 200, schema: invoiceDetailsSchema },
  }),
  openInvoice: defineRoute({
    method: 'GET',
    path: '/billing/me/invoices/:invoice_id',
    auth: 'user',
    leastRole: 'billing',
    tag,
    summary: 'Get the URL of an invoice or of a receipt; the URL expires',
    params: z.strictObject({ invoice_id: z.string().check(z.maxLength(100)) }),
    success: { status: 200, schema: invoicePageSchema },
  }),
};
