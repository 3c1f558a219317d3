import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

/**
 * Loads these anew when a page is opened that listens for news of them: what happened before, while another page was
 * open, was told to nobody, and would stand there as it was for good.
 */
export function useReloadOnArrival(queryKeys: readonly QueryKey[]): void {
  const queryClient = useQueryClient();
  const reload = useEffectEvent(() => {
    for (const queryKey of queryKeys) {
      // What is being loaded already is recent enough.
      void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
    }
  });
  useEffect(() => reload(), []);
}
