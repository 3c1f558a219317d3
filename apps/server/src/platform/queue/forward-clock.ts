import { type Clock, systemClock } from 'pg-boss';

/**
 * The timers of pg-boss compare now() with a moment that they keep: a process whose clock is set back would not look for dead
 * workers for the length of the jump. So this clock never goes back. It does follow the wall clock ahead, because a machine that
 * slept must catch up with its schedules.
 */
export function createForwardClock(wallNow = Date.now, steadyNow = () => performance.now()): Clock {
  let latest = wallNow();
  let readAt = steadyNow();
  return {
    ...systemClock,
    now: () => {
      const steady = steadyNow();
      latest = Math.max(latest + steady - readAt, wallNow());
      readAt = steady;
      return Math.round(latest);
    },
  };
}
