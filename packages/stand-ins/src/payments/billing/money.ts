import type { Price } from '../objects.ts';

export const formatAmount = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);

export function formatPrice(price: Price): string {
  const amount = formatAmount(price.unit_amount, price.currency);
  return price.recurring === null ? amount : `${amount} per month`;
}
