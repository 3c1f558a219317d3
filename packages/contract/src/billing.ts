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
