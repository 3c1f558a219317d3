/** Seconds since 1970, the API's own unit of time. */
export type Seconds = number;

/**
 * The time that subscriptions live by. Given a start it moves only by `set`; otherwise it follows real time, from
 * wherever it was last set.
 */
export class Clock {
  readonly isLive: boolean;
  /** Standing still: the time itself. Following: how far ahead of real time. */
  #valueMs: number;
  #momentMs: number | undefined;

  constructor(start: Date | undefined) {
    this.isLive = start === undefined;
    this.#valueMs = start?.getTime() ?? 0;
  }

  now(): Date {
    return new Date(this.#momentMs ?? this.#valueMs + (this.isLive ? Date.now() : 0));
  }

  seconds(): Seconds {
    return Math.floor(this.now().getTime() / 1000);
  }

  set(date: Date): void {
    this.#valueMs = date.getTime() - (this.isLive ? Date.now() : 0);
  }

  /** What happens inside `work` happens at `moment`: a renewal that we are late for still bears its own date. */
  at<T>(moment: Seconds, work: () => T): T {
    this.#momentMs = moment * 1000;
    try {
      return work();
    } finally {
      this.#momentMs = undefined;
    }
  }
}
