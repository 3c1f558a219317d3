import { PLAN_TIERS, type PlanTier } from '@assay/contract';
import type Stripe from 'stripe';
import { connectStripe, ifMissing, type StripeOptions } from './stripe.connection.ts';
import { currency, lookupKeyOf, planMetadataKey, portalMetadata, productIdOf } from './stripe.names.ts';

/** The events that the webhook needs. It ignores others. */
export const webhookEvents = [
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'payment_intent.succeeded',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'subscription_schedule.created',
  'subscription_schedule.updated',
  'subscription_schedule.released',
  'subscription_schedule.canceled',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'customer.deleted',
] as const;

/**
 * Creates or updates a product and a price for each plan and the portal's configuration. Can be repeated. `tell` receives
 * a line for each change.
 */
export async function setUpStripe(
  options: StripeOptions & { publicUrl: string },
  tell: (line: string) => void,
): Promise<void> {
  const stripe = await connectStripe(options);
  const products: { product: string; prices: string[] }[] = [];
  for (const plan of PLAN_TIERS) {
    const product = await ensureProduct(stripe, plan, tell);
    products.push({ product, prices: [await ensurePrice(stripe, { plan, product }, tell)] });
  }
  await ensurePortal(stripe, { products, publicUrl: options.publicUrl }, tell);
}

type Tell = (line: string) => void;

async function ensureProduct(stripe: Stripe, plan: PlanTier, tell: Tell): Promise<string> {
  const id = productIdOf(plan);
  const wanted = {
    name: `${plan.code === 'FREE' ? 'Free' : plan.code} plan`,
    description: `${plan.monthlyCredits.toLocaleString('en-US')} credits a month`,
    active: true,
  };
  const found = await stripe.products.retrieve(id).catch(ifMissing);
  if (!found) {
    await stripe.products.create({ id, ...wanted, metadata: { [planMetadataKey]: plan.code } });
    tell(`created product ${id}`);
  } else if (
    found.name !== wanted.name ||
    found.description !== wanted.description ||
    found.active !== wanted.active
  ) {
    await stripe.products.update(id, wanted);
    tell(`updated product ${id}`);
  }
  return id;
}

/** A price cannot change its amount, so a new price takes over the lookup key. Existing subscribers keep the old price. */
async function ensurePrice(
  stripe: Stripe,
  { plan, product }: { plan: PlanTier; product: string },
  tell: Tell,
): Promise<string> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKeyOf(plan)], active: true, limit: 1 });
  const [found] = data;
  const isRight =
    found?.unit_amount === plan.monthlyCostCents &&
    found.currency === currency &&
    found.recurring?.interval === 'month' &&
    found.metadata[planMetadataKey] === plan.code &&
    found.product === product;
  if (found && isRight) return found.id;

  const created = await stripe.prices.create({
    product,
    currency,
    unit_amount: plan.monthlyCostCents,
    recurring: { interval: 'month' },
    lookup_key: lookupKeyOf(plan),
    transfer_lookup_key: true,
    metadata: { [planMetadataKey]: plan.code },
  });
  tell(`created price ${created.id} for plan ${plan.code}`);
  if (found) {
    await stripe.prices.update(found.id, { active: false });
    tell(`retired price ${found.id}`);
  }
  return created.id;
}

/**
 * The portal follows our rules for plan changes: a larger plan starts at once, at its full price and with a new month; a
 * smaller plan or a cancellation takes effect at the end of the month.
 */
async function ensurePortal(
  stripe: Stripe,
  { products, publicUrl }: { products: { product: string; prices: string[] }[]; publicUrl: string },
  tell: Tell,
): Promise<void> {
  const wanted = {
    business_profile: { headline: 'Your plan, your card and your invoices' },
    default_return_url: `${publicUrl}/redirect?to=/billing`,
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        proration_behavior: 'none',
        billing_cycle_anchor: 'now',
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
        products,
      },
    },
    metadata: { [portalMetadata.key]: portalMetadata.value },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams;
  const configurations = await stripe.billingPortal.configurations
    .list({ active: true, limit: 100 })
    .autoPagingToArray({ limit: 1_000 });
  const found = configurations.find(
    ({ metadata }) => metadata?.[portalMetadata.key] === portalMetadata.value,
  );
  if (found) {
    await stripe.billingPortal.configurations.update(found.id, wanted);
    tell(`portal configuration ${found.id} is up to date`);
    return;
  }
  const created = await stripe.billingPortal.configurations.create(wanted);
  tell(`created portal configuration ${created.id}`);
}
