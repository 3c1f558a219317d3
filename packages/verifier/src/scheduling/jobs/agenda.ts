import type { Clock } from '../../clock.ts';

interface Entry {
  at: number;
  task: () => void;
}

/** Everything that must happen later, on one timer: a list may defer tens of thousands of addresses. */
export class Agenda {
  readonly #clock: Clock;
  /** A binary heap, the earliest first. */
  #heap: Entry[] = [];
  #stopTimer: (() => void) | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  at(time: number, task: () => void): void {
    const heap = this.#heap;
    let index = heap.push({ at: time, task }) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if ((heap[parent] as Entry).at <= time) break;
      [heap[parent], heap[index]] = [heap[index] as Entry, heap[parent] as Entry];
      index = parent;
    }
    this.#setTimer();
  }

  clear(): void {
    this.#heap = [];
    this.#setTimer();
  }

  #setTimer(): void {
    const earliest = this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
    if (earliest === this.#timerAt) return;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#timerAt = earliest;
    if (earliest === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.max(0, earliest - this.#clock.now());
    // Timers of more than 24.8 days fire at once in Node; a day is far enough to look again.
    this.#stopTimer = this.#clock.after(Math.min(delayMs, 86_400_000), () => {
      this.#stopTimer = undefined;
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#runDue();
    });
  }

  #runDue(): void {
    const now = this.#clock.now();
    for (let next = this.#heap[0]; next !== undefined && next.at <= now; next = this.#heap[0]) {
      this.#removeFirst();
      next.task();
    }
    this.#setTimer();
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as Entry).at < (heap[child] as Entry).at) child += 1;
      if ((heap[child] as Entry).at >= last.at) break;
      heap[index] = heap[child] as Entry;
      index = child;
    }
    heap[index] = last;
  }
}
