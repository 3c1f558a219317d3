import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { AppServices } from '../../../shared/services/services.ts';
import { useServices } from '../../../shared/services/services-context.tsx';
import { type MetricsRange, metricsQueryOf } from '../metrics/metrics-range.ts';
import { verificationKeys } from './keys.ts';

const metricsQuery = ({ api }: Pick<AppServices, 'api'>, range: MetricsRange) =>
  queryOptions({
    queryKey: [...verificationKeys.metrics, range],
    // The dates are worked out when it is asked, so that a page left open overnight moves on to the new day.
    queryFn: ({ signal }) => api.validations.getMetrics({ query: metricsQueryOf(range, new Date()), signal }),
    // The chart changes in place when another range is chosen.
    placeholderData: keepPreviousData,
  });

export const useMetrics = (range: MetricsRange) => useQuery(metricsQuery(useServices(), range));
