import type { Price } from '../wire.ts';

/** What one period of this price costs, in the smallest unit of its currency. */
export const amountOf = (price: Price, quantity = 1): number => (price.unit_amount ?? 0) * quantity;

export const formatAmount = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);
