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

/** A change of plan that is arranged and still to come. Until its date nothing changes. */
export const pendingChangeSchema = z.object({
  kind: z.enum(['plan_change', 'cancellation']),
  /** The plan from that date on: the free one after a cancellation. */
  plan: planSchema,
  date: dateTimeSchema,
});
export type PendingChange = z.output<typeof pendingChangeSchema>;

export const walletSchema = z.object({
  /** What the customer can spend: credits held by running work are not in it. */
  balance: z.number(),
  subscription: z.object({
    /** `past_due` while a failed payment is owed: plan and credits stay until the grace ends. */
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
  /** In credits: above 0 what came in, below 0 what was spent or taken back. */
  amount: z.number(),
  /** Credits on hold are in it, so that it adds up from one entry to the next while work is running. */
  balance_after: z.number(),
  creation_date: dateTimeSchema,
  /** The invoice that these credits were paid or refunded with; `openInvoice` says where it can be seen. */
  invoice_id: z.nullable(z.string()),
});
export type Transaction = z.output<typeof transactionSchema>;

/** Shorter codes do not exist. */
export const COUPON_CODE_CHARACTERS_MIN = 5;

export const couponRedemptionSchema = z.object({ coupon: z.object({ amount_of_credits: z.number() }) });
export type CouponRedemption = z.output<typeof couponRedemptionSchema>;

/** How a redemption ends. A refused one carries it in the error's meta, as `outcome`. */
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
    tag,
    summary: 'Balance, plan, next renewal and a change of plan that is still to come',
    success: { status: 200, schema: walletSchema },
  }),
  listTransactions: defineRoute({
    method: 'GET',
    path: '/billing/me/transactions',
    auth: 'user',
    tag,
    summary: 'Credits history, newest first',
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
    summary: 'Where to change plan and card and see invoices; with a plan, where to confirm that one',
    query: z.strictObject({ plan: z.optional(z.enum(PLAN_CODES)) }),
    success: { status: 200, schema: customerPortalSchema },
  }),
  keepPlan: defineRoute({
    method: 'DELETE',
    path: '/billing/me/subscriptions/pending_change',
    auth: 'user',
    tag,
    summary: 'Keep the present plan: undoes a change or cancellation that is still to come',
    success: { status: 204, schema: nothingSchema },
  }),
  openInvoice: defineRoute({
    method: 'GET',
    path: '/billing/me/invoices/:invoice_id',
    auth: 'user',
    tag,
    summary: 'Where an invoice of the credits history can be seen and downloaded; the address expires',
    params: z.strictObject({ invoice_id: z.string().check(z.maxLength(100)) }),
    success: { status: 200, schema: invoicePageSchema },
  }),
};
