// A greylister's memory: who wanted to write to whom, from where, and when first.

const entriesMax = 100_000;

export class Greylist {
  readonly #delayMs: number;
  readonly #firstSeenMs = new Map<string, number>();

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** How long the sender still has to wait for this recipient; 0 when it has waited long enough. */
  waitMs(attempt: { peer: string; sender: string; recipient: string }, nowMs: number): number {
    const key = JSON.stringify([attempt.peer, attempt.sender, attempt.recipient]);
    const firstSeenMs = this.#firstSeenMs.get(key);
    if (firstSeenMs !== undefined) return Math.max(0, firstSeenMs + this.#delayMs - nowMs);
    this.#forgetOldest();
    this.#firstSeenMs.set(key, nowMs);
    return this.#delayMs;
  }

  #forgetOldest(): void {
    if (this.#firstSeenMs.size < entriesMax) return;
    const oldest = this.#firstSeenMs.keys().next();
    if (!oldest.done) this.#firstSeenMs.delete(oldest.value);
  }
}
