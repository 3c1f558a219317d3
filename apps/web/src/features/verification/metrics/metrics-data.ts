import type { MetricsEntry } from '@assay/contract';
import type { Verdict } from '../../../shared/components/verdicts.ts';
import { formatChartDay, formatChartMonth } from '../../../shared/format/dates.ts';
import { type MetricsRange, metricsRanges } from './metrics-range.ts';

export type VerdictCounts = Readonly<Record<Verdict, number>>;

export interface ChartPoint {
  readonly label: string;
  readonly emails: number;
}

/** One point per day or month: all emails asked for in it, whatever became of them. */
export function pointsOf(entries: readonly MetricsEntry[], range: MetricsRange): ChartPoint[] {
  const formatLabel = metricsRanges[range].groupBy === 'DAY' ? formatChartDay : formatChartMonth;
  return entries.map(({ date, validation_list_email_metrics }) => ({
    // The day as the server wrote it. Read in the reader's zone, a day of the other half of the year would slip by an hour.
    label: formatLabel(date.slice(0, 10), 'UTC'),
    emails: sumOf(Object.values(validation_list_email_metrics)),
  }));
}

/** Which points are named below the axis: the first, the last, and others spread evenly between them. */
export function ticksOf(pointCount: number, tickCount: number): number[] {
  const count = Math.min(tickCount, pointCount);
  const step = count > 1 ? (pointCount - 1) / (count - 1) : 0;
  return Array.from({ length: count }, (_, tick) => Math.round(tick * step));
}

/** Round numbers for the other axis, 0 among them, the last one at least as high as the highest point. */
export function countTicksUpTo(highest: number): number[] {
  const intervalsMax = 4;
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, highest / intervalsMax)));
  const fitting = [1, 2, 5, 10].find((factor) => factor * magnitude * intervalsMax >= highest) ?? 10;
  const step = fitting * magnitude;
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, tick) => tick * step);
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
