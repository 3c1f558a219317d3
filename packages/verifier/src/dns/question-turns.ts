// Each question has a socket of its own, and file descriptors are few on some machines.
const questionsAtOnceMax = 256;
/** Names that nobody answers for keep their places for seconds, so one customer leaves some to others. */
const questionsOfCustomerMax = 192;

/** Lets a bounded number of questions be under way. Where some wait, customers take turns. */
export class QuestionTurns {
  readonly #underWay = new Map<string | null, number>();
  /** By customer, oldest first. The customer who was served last comes last. */
  readonly #waiting = new Map<string | null, (() => void)[]>();
  #count = 0;

  /** Without a customer, the question is one of a caller who has the resolver alone. */
  async run<Result>(customer: string | null, ask: () => Promise<Result>): Promise<Result> {
    if (this.#hasPlaceFor(customer)) this.#begin(customer);
    else await this.#wait(customer);
    try {
      return await ask();
    } finally {
      this.#end(customer);
      this.#startNext();
    }
  }

  #hasPlaceFor(customer: string | null): boolean {
    const max = customer === null ? questionsAtOnceMax : questionsOfCustomerMax;
    return this.#count < questionsAtOnceMax && this.#countOf(customer) < max;
  }

  #countOf(customer: string | null): number {
    return this.#underWay.get(customer) ?? 0;
  }

  #begin(customer: string | null): void {
    this.#count += 1;
    this.#underWay.set(customer, this.#countOf(customer) + 1);
  }

  #end(customer: string | null): void {
    this.#count -= 1;
    const left = this.#countOf(customer) - 1;
    if (left === 0) this.#underWay.delete(customer);
    else this.#underWay.set(customer, left);
  }

  #wait(customer: string | null): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#waiting.get(customer);
      if (line) line.push(resolve);
      else this.#waiting.set(customer, [resolve]);
    });
  }

  #startNext(): void {
    for (const [customer, line] of this.#waiting) {
      if (!this.#hasPlaceFor(customer)) continue;
      const start = line.shift();
      this.#waiting.delete(customer);
      if (line.length > 0) this.#waiting.set(customer, line);
      this.#begin(customer);
      start?.();
      return;
    }
  }
}
