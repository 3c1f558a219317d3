/** Time as an argument, so that tests move it instead of waiting for it. */
export interface Clock {
  /** Milliseconds since 1970 when the process started, and never set since: all waits and time limits depend on it. */
  now(): number;
  /** Milliseconds since 1970 by the machine's clock, which may jump: for facts that others read. */
  wallNow(): number;
  /** Runs the task once, that many milliseconds from now; the answer takes it back. */
  after(delayMs: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  // Not Date.now(): a rest of two seconds that began before the machine's clock was set back would last for hours.
  now: () => Math.round(performance.timeOrigin + performance.now()),
  wallNow: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
