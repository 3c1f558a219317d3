import { PLAN_TIERS } from '@assay/contract';
import { connectStripe, type StripeOptions } from './stripe.connection.ts';
import { lookupKeyOf } from './stripe.names.ts';

/** Stripe takes no more lookup keys in a call. */
const keysPerCall = 10;

/** The codes of plans that the Stripe account has no price for; `assay payments setup` makes them. */
export async function findMissingPlans(options: StripeOptions): Promise<string[]> {
  const stripe = await connectStripe(options);
  const found = new Set<string | null>();
  for (let first = 0; first < PLAN_TIERS.length; first += keysPerCall) {
    const lookup_keys = PLAN_TIERS.slice(first, first + keysPerCall).map(lookupKeyOf);
    const { data } = await stripe.prices.list({ lookup_keys, active: true, limit: 100 });
    for (const { lookup_key } of data) found.add(lookup_key);
  }
  return PLAN_TIERS.filter((plan) => !found.has(lookupKeyOf(plan))).map(({ code }) => code);
}
