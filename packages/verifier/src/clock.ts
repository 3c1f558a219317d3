/** Time as an argument, so that tests move it instead of waiting for it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs the task once, that many milliseconds from now; the answer takes it back. */
  after(delayMs: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
