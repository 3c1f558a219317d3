import type { Spending } from '@assay/contract';
import { formatDate } from '../../shared/format/dates.ts';

const rate = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** How long the balance lasts. The server gives no date beyond ten years. */
export function lastingWords({ credits_per_day, lasts_until }: Spending) {
  if (credits_per_day === 0) return { name: 'Lasts until', value: '–', aside: 'nothing spent in 7 days' };
  const aside = `at ${rate.format(credits_per_day)} a day, as in the last 7 days`;
  return lasts_until === null
    ? { name: 'Lasts', value: 'over 10 years', aside }
    : { name: 'Lasts until', value: formatDate(lasts_until), aside };
}
