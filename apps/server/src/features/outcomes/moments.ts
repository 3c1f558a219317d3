/**
 * Moments to the second. Tells whether one of them is near another without comparing all. Fast if the distances that are asked for
 * change seldom.
 */
export class Moments {
  readonly #all: Set<number>;
  #spanMs = 0;
  /** The first and the last moment of each span of that length. */
  readonly #spans = new Map<number, { first: number; last: number }>();

  constructor(first: number) {
    this.#all = new Set([first]);
  }

  add(at: number): void {
    this.#all.add(at);
    if (this.#spanMs > 0) this.#place(at);
  }

  /** Whether there is a moment at most so far before or after another. */
  hasWithin(at: number, distanceMs: number): boolean {
    if (distanceMs === 0) return this.#all.has(at);
    if (this.#spanMs !== distanceMs) {
      this.#spanMs = distanceMs;
      this.#spans.clear();
      for (const moment of this.#all) this.#place(moment);
    }
    const span = this.#spanOf(at);
    if (this.#spans.has(span)) return true;
    const before = this.#spans.get(span - 1);
    const after = this.#spans.get(span + 1);
    return (
      (before !== undefined && at - before.last <= distanceMs) ||
      (after !== undefined && after.first - at <= distanceMs)
    );
  }

  #place(at: number): void {
    const span = this.#spans.get(this.#spanOf(at));
    if (!span) this.#spans.set(this.#spanOf(at), { first: at, last: at });
    else {
      span.first = Math.min(span.first, at);
      span.last = Math.max(span.last, at);
    }
  }

  #spanOf(at: number): number {
    return Math.floor(at / this.#spanMs);
  }
}
