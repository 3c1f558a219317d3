import * as z from 'zod/mini';
import { dateTimeSchema, nothingSchema } from './fields.ts';
import { pageOf, pageQuerySchema } from './paging.ts';
import { PLAN_CODES } from './plans.ts';
import { defineRoute } from './route.ts';

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

export const walletSchema = z.object({
  /** Credits that the customer can spend: without credits held by running work. */
  balance: z.number(),
  subscription: z.object({
    /** `past_due` while a failed payment is owed: plan and credits stay until the grace period ends. */
    status: z.enum(['active', 'past_due']),
    next_renewal_date: dateTimeSchema,
    plan: planSchema,
    pending_change: z.nullable(pendingChangeSchema),
  }),
});
export type Wallet = z.output<typeof walletSchema>;

/** What an entry of the credits history is about. */
export const transactionCategorySchema = z.enum([
  'GRANT',
  'PURCHASE',
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
  /** The invoice that paid or refunded these credits; `openInvoice` returns its URL. */
  invoice_id: z.nullable(z.string()),
});
export type Transaction = z.output<typeof transactionSchema>;

/** Shorter codes do not exist. */
export const COUPON_CODE_CHARACTERS_MIN = 5;

export const couponRedemptionSchema = z.object({ coupon: z.object({ amount_of_credits: z.number() }) });
export type CouponRedemption = z.output<typeof couponRedemptionSchema>;

/** The result of a redemption. A refusal carries it in the error's meta, as `outcome`. */
export const redeemOutcomeSchema = z.enum(['valid', 'already_used', 'not_found', 'invalid']);
export type RedeemOutcome = z.output<typeof redeemOutcomeSchema>;

export const customerPortalSchema = z.object({ portal_url: z.url() });
export type CustomerPortal = z.output<typeof customerPortalSchema>;

export const invoicePageSchema = z.object({ invoice_url: z.url() });
export type InvoicePage = z.output<typeof invoicePageSchema>;

export const billingRoutes = {
  getWallet: defineRoute({
    method: 'GET',
    path: '/billing/me',
    auth: 'user_or_key',
    keyScope: 'any',
    tag,
    summary: 'Get balance, plan, next renewal and a scheduled change of plan',
    success: { status: 200, schema: walletSchema },
  }),
  listTransactions: defineRoute({
    method: 'GET',
    path: '/billing/me/transactions',
    auth: 'user',
    tag,
    summary: 'List the credits history, newest first',
    query: pageQuerySchema,
    success: { status: 200, schema: pageOf(transactionSchema) },
  }),
  redeemCoupon: defineRoute({
    method: 'POST',
    path: '/billing/coupons/:coupon_id/redemption',
    auth: 'user',
    tag,
    summary: 'Redeem a coupon code',
    params: z.strictObject({ coupon_id: z.string().check(z.maxLength(100)) }),
    success: { status: 200, schema: couponRedemptionSchema },
  }),
  openCustomerPortal: defineRoute({
    method: 'GET',
    path: '/billing/me/subscriptions/customer_portal',
    auth: 'user',
    tag,
    summary: 'Get the URL of the customer portal, or of the page that confirms the given plan',
    query: z.strictObject({ plan: z.optional(z.enum(PLAN_CODES)) }),
    success: { status: 200, schema: customerPortalSchema },
  }),
  keepPlan: defineRoute({
    method: 'DELETE',
    path: '/billing/me/subscriptions/pending_change',
    auth: 'user',
    tag,
    summary: 'Keep the current plan: undo a scheduled change or cancellation',
    success: { status: 204, schema: nothingSchema },
  }),
  openInvoice: defineRoute({
    method: 'GET',
    path: '/billing/me/invoices/:invoice_id',
    auth: 'user',
    tag,
    summary: 'Get the URL of an invoice; the URL expires',
    params: z.strictObject({ invoice_id: z.string().check(z.maxLength(100)) }),
    success: { status: 200, schema: invoicePageSchema },
  }),
};
