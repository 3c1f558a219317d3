import type { MetricsEntry } from '@assay/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { type MetricsRange, metricsQueryOf } from '../metrics/metrics-range.ts';
import { verificationKeys } from './keys.ts';

/** The entries carry their range, since those of another one are shown until it has changed. */
export interface RangeMetrics {
  readonly range: MetricsRange;
  readonly entries: readonly MetricsEntry[];
}

const metricsQuery = ({ api }: Pick<AppServices, 'api'>, range: MetricsRange) =>
  queryOptions({
    queryKey: [...verificationKeys.metrics, range],
    // Workers change the figures at any time: a range that is chosen again is asked for again.
    staleTime: 0,
    // The dates are worked out when it is asked, so that a page left open overnight moves on to the new day.
    queryFn: async ({ signal }): Promise<RangeMetrics> => {
      const query = metricsQueryOf(range, new Date());
      const { results } = await api.validations.getMetrics({ query, signal });
      return { range, entries: results };
    },
    // The figures of the range before stay until those of the new one are there.
    placeholderData: keepPreviousData,
  });

export const useMetrics = (range: MetricsRange) => useQuery(metricsQuery(useServices(), range));
