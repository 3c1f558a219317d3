/** Time as an argument, so that tests move it instead of waiting for it. */
export interface Clock {
  /** Milliseconds since 1970 when the process started, and never set since: all waits and time limits depend on it. */
  now(): number;
  /** Milliseconds since 1970 by the machine's clock, which may jump: for facts that others read. */
  wallNow(): number;
  /** Runs the task once, that many milliseconds from now; the answer takes it back. */
  after(delayMs: number, task: () => void): () => void;
}

/**
 * A process that was stopped or busy for so long reads what arrived meanwhile before a time limit ends the wait for it. Node runs
 * timers first, so answers of hosts would count as missing although they were in time.
 */
const lateMs = 100;

export const systemClock: Clock = {
  // Not Date.now(): a rest of two seconds that began before the machine's clock was set back would last for hours.
  now: () => Math.round(performance.timeOrigin + performance.now()),
  wallNow: () => Date.now(),
  after(delayMs, task) {
    const dueAt = performance.now() + delayMs;
    let afterReading: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      if (performance.now() - dueAt < lateMs) task();
      else afterReading = setImmediate(task);
    }, delayMs);
    return () => {
      clearTimeout(timer);
      clearImmediate(afterReading);
    };
  },
};
