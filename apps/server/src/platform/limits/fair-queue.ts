import { Places } from './places.ts';

interface Waiting {
  start: () => void;
}

/** Runs tasks a few at a time. Places go by customer: one with many tasks waits behind one with none, whatever came first. */
export class FairQueue {
  readonly #places: Places;
  /** The tasks of each customer in their order. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(placeCount: number) {
    this.#places = new Places(placeCount);
  }

  async run<Result>(customerId: string, task: () => Promise<Result>): Promise<Result> {
    await this.#place(customerId);
    try {
      return await task();
    } finally {
      this.#places.free(customerId);
      this.#startNext();
    }
  }

  #place(customerId: string): Promise<void> {
    return new Promise((start) => {
      const line = this.#waiting.get(customerId) ?? [];
      this.#waiting.set(customerId, line);
      line.push({ start });
      this.#startNext();
    });
  }

  #startNext(): void {
    for (;;) {
      const customerId = this.#places.nextOf(this.#waiting.keys());
      if (customerId === undefined) return;
      const line = this.#waiting.get(customerId) as Waiting[];
      const task = line.shift();
      if (line.length === 0) this.#waiting.delete(customerId);
      this.#places.take(customerId);
      task?.start();
    }
  }
}
