import type { Spending } from '@assay/contract';
import { formatNumber } from '../../shared/format/counts.ts';
import { formatDate } from '../../shared/format/dates.ts';

/** How long the balance lasts. The server gives no date beyond ten years. */
export function lastingWords({ credits_per_day, lasts_until }: Spending) {
  if (credits_per_day === 0) return { name: 'Lasts until', value: '–', aside: 'nothing spent in 7 days' };
  const aside = `at ${formatNumber(credits_per_day, { decimalsMax: 1 })} a day, as in the last 7 days`;
  return lasts_until === null
    ? { name: 'Lasts', value: 'over 10 years', aside }
    : { name: 'Lasts until', value: formatDate(lasts_until), aside };
}
