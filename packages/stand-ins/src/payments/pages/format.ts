import { formatAmount } from '../billing/money.ts';
import type { Seconds } from '../clock.ts';
import type { PaymentMethod, Price } from '../wire.ts';

const dates = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** With spaces that do not break, so that a date stays on one line. */
export const formatDate = (moment: Seconds): string => dates.format(moment * 1000).replaceAll(' ', '\u00a0');

export function formatPrice(price: Price): string {
  const { interval, interval_count } = price.recurring ?? { interval: 'month', interval_count: 1 };
  const each = interval_count === 1 ? interval : `${interval_count} ${interval}s`;
  return `${formatAmount(price.unit_amount ?? 0, price.currency)} per ${each}`;
}

const brandNames: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard' };

export const formatBrand = (method: PaymentMethod): string =>
  brandNames[method.card?.brand ?? ''] ?? method.card?.brand ?? 'Card';

export const formatExpiry = ({ card }: PaymentMethod): string =>
  card ? `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}` : '';
