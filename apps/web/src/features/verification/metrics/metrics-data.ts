import type { MetricsEntry } from '@assay/contract';
import type { ChartPoint } from '../../../shared/charts/line-layout.ts';
import type { Verdict } from '../../../shared/components/verdicts.ts';
import { formatChartDay, formatChartMonth } from '../../../shared/format/dates.ts';
import { type MetricsRange, metricsRanges } from './metrics-range.ts';

export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** One point per day or month: all emails asked for in it, whatever became of them. */
export function pointsOf(entries: readonly MetricsEntry[], range: MetricsRange): ChartPoint[] {
  const formatLabel = metricsRanges[range].groupBy === 'DAY' ? formatChartDay : formatChartMonth;
  return entries.map(({ date, validation_list_email_metrics }) => ({
    // The day as the server wrote it. Read in the reader's zone, a day of the other half of the year would slip by an hour.
    label: formatLabel(date.slice(0, 10), 'UTC'),
    count: sumOf(Object.values(validation_list_email_metrics)),
  }));
}

export function totalsOf(entries: readonly MetricsEntry[]): VerdictCounts {
  const total = (count: keyof MetricsEntry['validation_list_email_metrics']): number =>
    sumOf(entries.map(({ validation_list_email_metrics }) => validation_list_email_metrics[count]));
  return {
    PENDING: total('pending_emails'),
    VALID: total('valid_emails'),
    INVALID: total('invalid_emails'),
    CATCH_ALL: total('catch_all_emails'),
    UNKNOWN: total('unknown_emails'),
  };
}

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
