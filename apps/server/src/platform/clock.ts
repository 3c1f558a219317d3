/** What time it is, as an argument, so that tests move it instead of waiting. */
export interface Clock {
  now(): Date;
}

/** Measures how long something lasts in this process. Unlike the time of day, it is never set ahead or back. */
export interface SteadyClock {
  steadyMs(): number;
}

export const systemClock: Clock & SteadyClock = {
  now: () => new Date(),
  steadyMs: () => performance.now(),
};

/** Runs a task later and gives the way to call it off; an argument for the same reason. */
export type Schedule = (task: () => void, delayMs: number) => () => void;

/** Longer delays overflow in Node and would fire at once. */
const delayMsMax = 2 ** 31 - 1;

export const systemSchedule: Schedule = (task, delayMs) => {
  const timer = setTimeout(task, Math.min(delayMs, delayMsMax));
  return () => clearTimeout(timer);
};
