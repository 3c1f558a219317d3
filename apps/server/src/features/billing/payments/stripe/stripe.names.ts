import type { PlanTier } from '@assay/contract';

// These names identify the objects of `assay payments setup` in a Stripe account that may contain others.

export const currency = 'usd';
export const productIdOf = ({ code }: PlanTier): string => `assay_plan_${code.toLowerCase()}`;
export const lookupKeyOf = ({ code }: PlanTier): string => `assay_plan_${code.toLowerCase()}`;
export const planMetadataKey = 'assay_plan';
export const packMetadataKey = 'assay_pack';
/** What the pack cost when its payment was opened: the price list may change until it is paid. */
export const priceMetadataKey = 'assay_pack_cents';
export const orderMetadataKey = 'assay_order';
export const portalMetadata = { key: 'assay', value: 'customer_portal' } as const;

/** Customers read it on the checkout page and on receipts. */
export const packName = ({ monthlyCredits }: PlanTier): string =>
  `${monthlyCredits.toLocaleString('en-US')} credits`;
