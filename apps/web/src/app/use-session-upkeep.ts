import { useEffect } from 'react';
import { useServices } from '../shared/services/services-context.tsx';

/** A provider that could not be asked is asked again after this time at the earliest. */
const retryDelayMs = 60_000;
/** Timers take no more than this. */
const longestDelayMs = 2 ** 31 - 1;

/** Renews the token in time even without API calls, so that the realtime connection stays open. */
export function useSessionUpkeep(): void {
  const { session } = useServices();

  useEffect(() => {
    let timer: number | undefined;
    const schedule = (earliestMs: number) => {
      const delayMs = session.msUntilRefresh();
      if (delayMs === undefined) return;
      timer = window.setTimeout(renew, Math.min(longestDelayMs, Math.max(earliestMs, delayMs)));
    };
    const renew = () => {
      session.getToken().catch(() => {});
      schedule(retryDelayMs);
    };
    schedule(0);
    return () => clearTimeout(timer);
  }, [session]);
}
