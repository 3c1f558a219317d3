import { AppError } from '../errors/index.ts';
import { tooManyAtOnce } from './concurrency-limit.ts';
import { Places } from './places.ts';

interface FairQueueOptions {
  /** How many tasks run at a time. */
  readonly placeCount: number;
  /** The part of the places that one customer may have. */
  readonly largestPart?: number;
  /** How many tasks of one customer may wait. `text` tells the caller of one more what to do. */
  readonly perCustomer?: { readonly waitingMax: number; readonly text: string };
  /** How many tasks of all customers may wait. One more gets 503. */
  readonly waitingMax?: number;
  /** How long a customer's next task waits after one that ran for so long, so that many of them leave the processors to others. */
  readonly restMsAfter?: (ranMs: number) => number;
}

interface WaitingTask {
  start(): void;
}

/** Runs a few tasks at a time. The next place goes to the customer with the fewest running tasks, not to the oldest task. */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #places: Places;
  /** The waiting tasks of each customer, oldest first. */
  readonly #waiting = new Map<string, Set<WaitingTask>>();
  #waitingCount = 0;
  /** Customers whose next task has to wait. */
  readonly #resting = new Set<string>();

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#places = new Places(options.placeCount, options.largestPart);
  }

  get waitingCount(): number {
    return this.#waitingCount;
  }

  /** How many tasks wait before one of a new customer could start: of a customer, no more than there is a share for. */
  get waitingCountForNewcomer(): number {
    const share = this.#places.shareOfAll;
    let count = 0;
    for (const tasks of this.#waiting.values()) count += Math.min(tasks.size, share);
    return count;
  }

  /** A task whose signal aborts while it waits never starts. */
  async run<Result>(
    customerId: string,
    task: () => Promise<Result>,
    signal?: AbortSignal | undefined,
  ): Promise<Result> {
    await this.#takePlace(customerId, signal);
    const startedAt = performance.now();
    try {
      return await task();
    } finally {
      this.#places.free(customerId);
      this.#rest(customerId, performance.now() - startedAt);
      this.#startNext();
    }
  }

  #rest(customerId: string, ranMs: number): void {
    const restMs = this.#options.restMsAfter?.(ranMs) ?? 0;
    if (restMs < 1) return;
    this.#resting.add(customerId);
    setTimeout(() => {
      this.#resting.delete(customerId);
      this.#startNext();
    }, restMs).unref();
  }

  #takePlace(customerId: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.#refuseTooMany(customerId);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#remove(customerId, task);
        reject(signal?.reason);
      };
      const task: WaitingTask = {
        start: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(customerId, this.#waitingOf(customerId).add(task));
      this.#waitingCount += 1;
      this.#startNext();
    });
  }

  #refuseTooMany(customerId: string): void {
    const { perCustomer, waitingMax = Infinity } = this.#options;
    if (perCustomer && this.#waitingOf(customerId).size >= perCustomer.waitingMax)
      throw tooManyAtOnce(perCustomer.waitingMax, perCustomer.text);
    if (this.#waitingCount >= waitingMax) throw new AppError('service_unavailable');
  }

  #startNext(): void {
    for (;;) {
      const customerId = this.#places.nextOf(new Set(this.#waiting.keys()).difference(this.#resting));
      if (customerId === undefined) return;
      const [task] = this.#waitingOf(customerId);
      if (task === undefined) return;
      this.#remove(customerId, task);
      this.#places.take(customerId);
      task.start();
    }
  }

  #waitingOf(customerId: string): Set<WaitingTask> {
    return this.#waiting.get(customerId) ?? new Set();
  }

  #remove(customerId: string, task: WaitingTask): void {
    const tasks = this.#waitingOf(customerId);
    tasks.delete(task);
    if (tasks.size === 0) this.#waiting.delete(customerId);
    this.#waitingCount -= 1;
  }
}
