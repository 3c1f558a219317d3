import { AsyncLocalStorage } from 'node:async_hooks';
import { type Schedule, systemSchedule } from './clock.ts';

export interface BatchOptions<Item, Answer> {
  /** Handles the items of one batch. Batch makes one call at a time. */
  readonly call: (items: Item[]) => Promise<Answer>;
  /** A call waits until it has this many items, but never longer than `waitMaxMs`. */
  readonly lengthMin?: number;
  readonly waitMaxMs?: number;
  /** Items beyond this number go with the next call. */
  readonly lengthMax?: number;
  /** A failed call also fails all items that wait and all that come later. By default it fails only its own. */
  readonly stopsOnFailure?: boolean;
  readonly schedule?: Schedule;
}

interface Group<Item, Answer> {
  readonly items: Item[];
  readonly answer: PromiseWithResolvers<Answer>;
  isDue: boolean;
}

/** Gathers the items of one turn of the event loop, and those that arrive during a call, into one call. */
export class Batch<Item, Answer = void> {
  readonly #call: (items: Item[]) => Promise<Answer>;
  readonly #lengthMin: number;
  readonly #lengthMax: number;
  readonly #waitMaxMs: number;
  readonly #stopsOnFailure: boolean;
  readonly #schedule: Schedule;
  /** Calls are made as by whoever made the batch, and not as by the customer whose item happens to be the first. */
  readonly #asMaker = AsyncLocalStorage.snapshot();
  #waiting: Group<Item, Answer>[] = [];
  #calling: Promise<void> | undefined;
  #onDue = () => {};
  #end: { readonly error: unknown } | undefined;

  constructor(options: BatchOptions<Item, Answer>) {
    this.#call = options.call;
    this.#lengthMax = options.lengthMax ?? Number.POSITIVE_INFINITY;
    this.#lengthMin = Math.min(options.lengthMin ?? 1, this.#lengthMax);
    this.#waitMaxMs = options.waitMaxMs ?? 0;
    this.#stopsOnFailure = options.stopsOnFailure ?? false;
    this.#schedule = options.schedule ?? systemSchedule;
  }

  /** Resolves with the answer of the call that includes the item. Calls happen in the order of their items. */
  add(item: Item): Promise<Answer> {
    if (this.#end) return withoutAlarm(Promise.reject(this.#end.error));
    const group = this.#openGroup();
    group.items.push(item);
    if (group.items.length >= this.#lengthMin) this.#markDue(group);
    this.#calling ??= this.#asMaker(() => this.#callWhileWaiting());
    return group.answer.promise;
  }

  /** Calls with the items that wait, however few they are. */
  flush(): void {
    for (const group of this.#waiting) this.#markDue(group);
  }

  /** Flushes, resolves after the last call, and rejects items that come later. */
  async close(): Promise<void> {
    this.#end ??= { error: new Error('The batch is closed.') };
    this.flush();
    await this.#calling;
  }

  #openGroup(): Group<Item, Answer> {
    const last = this.#waiting.at(-1);
    if (last && last.items.length < this.#lengthMax) return last;
    const group = { items: [], answer: Promise.withResolvers<Answer>(), isDue: false };
    withoutAlarm(group.answer.promise);
    this.#waiting.push(group);
    return group;
  }

  #markDue(group: Group<Item, Answer>): void {
    group.isDue = true;
    this.#onDue();
  }

  async #callWhileWaiting(): Promise<void> {
    for (let group = this.#waiting[0]; group; group = this.#waiting[0]) {
      await new Promise(setImmediate);
      if (!group.isDue) await this.#untilDue();
      this.#waiting.shift();
      await this.#callWith(group);
    }
    this.#calling = undefined;
  }

  async #untilDue(): Promise<void> {
    const due = Promise.withResolvers<void>();
    this.#onDue = due.resolve;
    const cancel = this.#schedule(due.resolve, this.#waitMaxMs);
    await due.promise;
    cancel();
  }

  async #callWith({ items, answer }: Group<Item, Answer>): Promise<void> {
    try {
      answer.resolve(await this.#call(items));
    } catch (error) {
      answer.reject(error);
      if (this.#stopsOnFailure) this.#stop(error);
    }
  }

  #stop(error: unknown): void {
    this.#end = { error };
    for (const group of this.#waiting) group.answer.reject(error);
    this.#waiting = [];
  }
}

/** Prevents an unhandled rejection; callers may still await it. */
function withoutAlarm<Answer>(answer: Promise<Answer>): Promise<Answer> {
  answer.catch(() => {});
  return answer;
}
