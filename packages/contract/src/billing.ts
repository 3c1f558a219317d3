import * as z from 'zod/mini';
import { dateTimeSchema } from './fields.ts';
import { defineRoute } from './route.ts';

export const planSchema = z.object({
  code: z.string(),
  monthly_credits: z.number(),
  monthly_cost_in_cents: z.number(),
});

export const walletSchema = z.object({
  /** What the customer can spend: credits held by running work are not in it. */
  balance: z.number(),
  subscription: z.object({ next_renewal_date: dateTimeSchema, plan: planSchema }),
});
export type Wallet = z.output<typeof walletSchema>;

/** What an entry of the credits history is about. */
export const transactionCategorySchema = z.enum([
  'GRANT',
  'PURCHASE',
  'COUPON',
  'VERIFICATION',
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

export const billingRoutes = {
  getWallet: defineRoute({
    method: 'GET',
    path: '/billing/me',
    auth: 'user_or_key',
    tag: 'Billing',
    summary: 'Balance, plan and next renewal',
    success: { status: 200, schema: walletSchema },
  }),
};
