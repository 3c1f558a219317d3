import type { Clock } from '../clock.ts';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  /** By how much the machine's clock was set. */
  jumpedMs = 0;
  #timers = new Set<{ at: number; task: () => void }>();

  now(): number {
    return this.#now;
  }

  wallNow(): number {
    return this.#now + this.jumpedMs;
  }

  after(delayMs: number, task: () => void): () => void {
    const timer = { at: this.#now + delayMs, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get timerCount(): number {
    return this.#timers.size;
  }

  /** Moves time on, running what falls due in its order. */
  advance(byMs: number): void {
    const until = this.#now + byMs;
    for (;;) {
      const next = [...this.#timers].sort((left, right) => left.at - right.at)[0];
      if (next === undefined || next.at > until) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.task();
    }
    this.#now = until;
  }
}
