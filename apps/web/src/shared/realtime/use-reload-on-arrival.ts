import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Loads these again when a page opens that listens for their events: no page listened before. The answer to a request
 * from before the page opened may miss an event too, so that request is made again.
 */
export function useReloadOnArrival(queryKeys: readonly QueryKey[]): void {
  const queryClient = useQueryClient();
  const [underWay] = useState(
    () =>
      new Set<Query>(
        queryKeys.flatMap((queryKey) =>
          queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }),
        ),
      ),
  );
  const reload = useEffectEvent(() => {
    for (const queryKey of queryKeys) {
      const isOlder = (query: Query) => underWay.has(query);
      void queryClient.invalidateQueries({ queryKey, predicate: isOlder });
      // A load that began with the page is recent enough.
      void queryClient.invalidateQueries(
        { queryKey, predicate: (query) => !isOlder(query) },
        { cancelRefetch: false },
      );
    }
  });
  useEffect(() => reload(), []);
}
