import { findPlan, type PlanTier } from '@assay/contract';
import type Stripe from 'stripe';
import { PaymentsRefused } from '../payments-gateway.ts';
import { reach } from './stripe.connection.ts';
import { lookupKeyOf, planMetadataKey } from './stripe.names.ts';

export type PriceReader = (price: string | Stripe.Price) => Promise<PlanTier | undefined>;

/** Reads the plan of a price. A price never changes its plan, so each is fetched once. */
export function createPriceReader(stripe: Stripe): PriceReader {
  const known = new Map<string, PlanTier | undefined>();
  return async (price) => {
    const id = typeof price === 'string' ? price : price.id;
    if (!known.has(id)) {
      const whole = typeof price === 'string' ? await reach(() => stripe.prices.retrieve(price)) : price;
      known.set(id, findPlan(whole.metadata[planMetadataKey] ?? ''));
    }
    return known.get(id);
  };
}

export async function findPrice(stripe: Stripe, plan: PlanTier): Promise<string> {
  const { data } = await reach(() =>
    stripe.prices.list({ lookup_keys: [lookupKeyOf(plan)], active: true, limit: 1 }),
  );
  if (!data[0]) throw new PaymentsRefused(`There is no price for plan ${plan.code}. ${runSetup}`);
  return data[0].id;
}

export const runSetup = 'Run: assay payments setup';
