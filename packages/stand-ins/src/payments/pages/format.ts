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
  const amount = formatAmount(price.unit_amount, price.currency);
  return price.recurring === null ? amount : `${amount} per month`;
}

/** Every test card is a Visa card. */
export const formatBrand = ({ card }: PaymentMethod): string => (card.brand === 'visa' ? 'Visa' : card.brand);

export const formatExpiry = ({ card }: PaymentMethod): string =>
  `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`;
