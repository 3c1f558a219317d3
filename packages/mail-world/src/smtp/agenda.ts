// One timer for everything that the world does later. A bench holds back tens of thousands of replies a second; a timer
// for each would cost more than the replies.

interface Appointment {
  dueMs: number;
  /** Orders appointments of the same moment as they were made. */
  order: number;
  keep: () => void;
}

export class Agenda {
  // A binary heap, the earliest appointment on top.
  readonly #heap: Appointment[] = [];
  #order = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;

  /** Milliseconds on a clock that is never set back. */
  now(): number {
    return performance.now();
  }

  /** Calls back at a moment of this clock; a moment at infinity never comes. */
  at(dueMs: number, keep: () => void): void {
    if (dueMs === Number.POSITIVE_INFINITY) return;
    this.#push({ dueMs, order: this.#order++, keep });
    this.#setTimer();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#heap.length = 0;
  }

  #setTimer(): void {
    const dueMs = this.#heap[0]?.dueMs ?? Number.POSITIVE_INFINITY;
    if (dueMs >= this.#timerDueMs) return;
    clearTimeout(this.#timer);
    this.#timerDueMs = dueMs;
    this.#timer = setTimeout(() => this.#keepDue(), Math.max(1, Math.ceil(dueMs - this.now())));
  }

  #keepDue(): void {
    this.#timerDueMs = Number.POSITIVE_INFINITY;
    const now = this.now();
    for (let top = this.#heap[0]; top && top.dueMs <= now; top = this.#heap[0]) {
      this.#pop();
      top.keep();
    }
    if (this.#heap.length > 0) this.#setTimer();
  }

  #push(appointment: Appointment): void {
    const heap = this.#heap;
    let index = heap.length;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex];
      if (!parent || isBefore(parent, appointment)) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = appointment;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      let child = heap[childIndex];
      if (!child) break;
      const sibling = heap[childIndex + 1];
      if (sibling && isBefore(sibling, child)) {
        child = sibling;
        childIndex += 1;
      }
      if (isBefore(last, child)) break;
      heap[index] = child;
      index = childIndex;
    }
    heap[index] = last;
  }
}

function isBefore(one: Appointment, other: Appointment): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);
}
