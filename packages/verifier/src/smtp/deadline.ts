import type { Clock } from '../clock.ts';

/** A deadline that moves with every answer. Its timer checks the deadline only when it fires, so moving costs nothing. */
export class Deadline {
  readonly #clock: Clock;
  readonly #onMissed: () => void;
  #at = Number.POSITIVE_INFINITY;
  #timerAt = Number.POSITIVE_INFINITY;
  #stopTimer: (() => void) | undefined;

  constructor(clock: Clock, onMissed: () => void) {
    this.#clock = clock;
    this.#onMissed = onMissed;
  }

  set(delayMs: number): void {
    this.#at = this.#clock.now() + delayMs;
    if (this.#at < this.#timerAt) this.#startTimer(delayMs);
  }

  /** Removes the deadline. */
  lift(): void {
    this.#at = Number.POSITIVE_INFINITY;
  }

  /** Removes the deadline and its timer. */
  end(): void {
    this.lift();
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #startTimer(delayMs: number): void {
    this.#stopTimer?.();
    this.#timerAt = this.#clock.now() + delayMs;
    this.#stopTimer = this.#clock.after(delayMs, () => {
      this.#stopTimer = undefined;
      this.#timerAt = Number.POSITIVE_INFINITY;
      if (this.#at === Number.POSITIVE_INFINITY) return;
      const leftMs = this.#at - this.#clock.now();
      if (leftMs > 0) this.#startTimer(leftMs);
      else this.#onMissed();
    });
  }
}
