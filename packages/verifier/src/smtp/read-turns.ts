/** How long one turn of the event loop may work on long reads. */
const turnMs = 1;

/**
 * Handles long reads, with many replies each, a few per turn of the event loop. Between two turns the loop serves
 * connections that wait for a single reply. Hosts without PIPELINING would otherwise wait for all others each time.
 */
export class ReadTurns {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #isTurnDue = false;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  add(read: () => void): void {
    this.#waiting.push(read);
    this.#takeTurnSoon();
  }

  #takeTurnSoon(): void {
    if (this.#isTurnDue || this.#waiting.length === 0) return;
    this.#isTurnDue = true;
    setImmediate(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    this.#isTurnDue = false;
    const endsAt = this.#now() + turnMs;
    while (this.#waiting.length > 0 && this.#now() < endsAt) this.#waiting.shift()?.();
    this.#takeTurnSoon();
  };
}
