/**
 * The ranges of the chart: how far back, in which steps, and how many dates are named on its axis. Of a week that is every day but the
 * last, whose name is a word.
 */
export const metricsRanges = {
  WEEK: {
    label: 'Emails verified last week',
    groupBy: 'DAY',
    bucketCount: 7,
    tickCount: 6,
    lastName: 'Today',
  },
  MONTH: {
    label: 'Emails verified last month',
    groupBy: 'DAY',
    bucketCount: 30,
    tickCount: 12,
    lastName: undefined,
  },
  YEAR: {
    label: 'Emails verified last year',
    groupBy: 'MONTH',
    bucketCount: 12,
    tickCount: 12,
    lastName: undefined,
  },
} as const;

export type MetricsRange = keyof typeof metricsRanges;
export const DEFAULT_METRICS_RANGE: MetricsRange = 'WEEK';

/** From the start of the range's first day or month, on the reader's own clock, until now. */
export function metricsQueryOf(range: MetricsRange, now: Date) {
  const { groupBy, bucketCount } = metricsRanges[range];
  const stepsBack = bucketCount - 1;
  const fromDate =
    groupBy === 'DAY'
      ? new Date(now.getFullYear(), now.getMonth(), now.getDate() - stepsBack)
      : new Date(now.getFullYear(), now.getMonth() - stepsBack, 1);
  return { from_date: fromDate, to_date: now, group_by: groupBy };
}
