import type { PlanTier } from '@assay/contract';

// By these names we find again, in a Stripe account that may hold other things, what `assay payments setup` made.

export const productIdOf = ({ code }: PlanTier): string => `assay_plan_${code.toLowerCase()}`;
export const lookupKeyOf = ({ code }: PlanTier): string => `assay_plan_${code.toLowerCase()}`;
export const planMetadataKey = 'assay_plan';
export const portalMetadata = { key: 'assay', value: 'customer_portal' } as const;
