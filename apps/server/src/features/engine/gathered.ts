/** Gathers what comes in one turn of the event loop, or while the last call is under way, into one call for all of it. */
export class Gathered<Item, Answer> {
  readonly #call: (items: Item[]) => Promise<Answer>;
  #items: Item[] = [];
  #next: Promise<Answer> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(call: (items: Item[]) => Promise<Answer>) {
    this.#call = call;
  }

  /** Answers what the call for it and for others answered. */
  add(item: Item): Promise<Answer> {
    this.#items.push(item);
    this.#next ??= this.#callNext();
    return this.#next;
  }

  async #callNext(): Promise<Answer> {
    await Promise.allSettled([this.#last, new Promise(setImmediate)]);
    const items = this.#items;
    this.#items = [];
    this.#next = undefined;
    const answer = this.#call(items);
    this.#last = answer;
    return answer;
  }
}
