import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useServices } from '../services/services-context.tsx';

export const POLL_INTERVAL_MS = 5_000;

/** Reloads the visible data every few seconds while no events arrive, except in a hidden tab. */
export function usePolling(): void {
  const { connection } = useServices();
  const queryClient = useQueryClient();
  const isLive = useSyncExternalStore(connection.subscribe, connection.isLive);

  useEffect(() => {
    if (isLive) return;
    const poll = () => {
      if (document.visibilityState === 'hidden' || !connection.isOnline()) return;
      // An answer that is slower than the interval still arrives.
      void queryClient.invalidateQueries({}, { cancelRefetch: false });
    };
    poll();
    const timer = setInterval(poll, POLL_INTERVAL_MS);
    document.addEventListener('visibilitychange', poll);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', poll);
    };
  }, [isLive, connection, queryClient]);
}
