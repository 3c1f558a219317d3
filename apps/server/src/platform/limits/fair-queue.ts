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
  /** How many large tasks run at a time; the other places are for small ones. */
  readonly largeMax?: number;
  /** How long a customer's next task waits after one that ran for so long, so that many of them leave the processors to others. */
  readonly restMsAfter?: (ranMs: number, isAborted: boolean) => number;
}

interface TaskOptions {
  /** A task whose signal aborts while it waits never starts. */
  readonly signal?: AbortSignal | undefined;
  readonly isLarge?: boolean;
}

interface WaitingTask {
  readonly isLarge: boolean;
  start(): void;
}

/** Runs a few tasks at a time. The next place goes to the customer with the fewest running tasks, not to the oldest task. */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #places: Places;
  /** The waiting tasks of each customer, oldest first. */
  readonly #waiting = new Map<string, Set<WaitingTask>>();
  #waitingCount = 0;
  #largeCount = 0;
  /** Customers whose next task has to wait, and until when. */
  readonly #restsUntil = new Map<string, number>();

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

  async run<Result>(
    customerId: string,
    task: () => Promise<Result>,
    { signal, isLarge = false }: TaskOptions = {},
  ): Promise<Result> {
    await this.#takePlace(customerId, { signal, isLarge });
    const startedAt = performance.now();
    try {
      return await task();
    } finally {
      this.#places.free(customerId);
      if (isLarge) this.#largeCount -= 1;
      this.#rest(customerId, performance.now() - startedAt, signal?.aborted === true);
      this.#startNext();
    }
  }

  #rest(customerId: string, ranMs: number, isAborted: boolean): void {
    const restMs = this.#options.restMsAfter?.(ranMs, isAborted) ?? 0;
    const until = performance.now() + restMs;
    if (restMs < 1 || until <= (this.#restsUntil.get(customerId) ?? 0)) return;
    this.#restsUntil.set(customerId, until);
    setTimeout(() => {
      // A task that ended later may have prolonged the rest.
      if (this.#restsUntil.get(customerId) !== until) return;
      this.#restsUntil.delete(customerId);
      this.#startNext();
    }, restMs).unref();
  }

  #takePlace(
    customerId: string,
    { signal, isLarge }: TaskOptions & { readonly isLarge: boolean },
  ): Promise<void> {
    signal?.throwIfAborted();
    this.#refuseTooMany(customerId);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#remove(customerId, task);
        reject(signal?.reason);
      };
      const task: WaitingTask = {
        isLarge,
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
      const customerId = this.#places.nextOf(this.#startable());
      const task = customerId !== undefined && this.#nextOf(customerId);
      if (!task) return;
      this.#remove(customerId, task);
      this.#places.take(customerId);
      if (task.isLarge) this.#largeCount += 1;
      task.start();
    }
  }

  *#startable(): Generator<string> {
    for (const customerId of this.#waiting.keys())
      if (!this.#restsUntil.has(customerId) && this.#nextOf(customerId)) yield customerId;
  }

  /** The oldest task that may start. */
  #nextOf(customerId: string): WaitingTask | undefined {
    const { largeMax = Infinity } = this.#options;
    for (const task of this.#waitingOf(customerId))
      if (!task.isLarge || this.#largeCount < largeMax) return task;
    return undefined;
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
