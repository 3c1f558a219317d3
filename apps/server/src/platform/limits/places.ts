import type { AccountId } from '../ids.ts';

/** A customer gets at most this part of the places that other customers do not use. */
const usualPart = 3 / 4;

/** Of so many customers we remember when they were served. */
const servedMax = 500;

export interface PlaceHolder {
  readonly ownerId: AccountId;
  readonly count: number;
  /** How many more places the customer may take. */
  readonly room: number;
  /** Higher for those who got a place later. */
  readonly servedAt: number;
}

/**
 * Places for work, such as those of a lane, and who has them. A customer alone gets most of them; with others, each gets fewer, and after a while
 * equally many. The product's own jobs, which have no owner, may take all.
 */
export class Places {
  readonly #count: number;
  readonly #largestPart: number;
  readonly #taken = new Map<string, number>();
  #takenCount = 0;
  /** When customers last got a place, the one who waits longest first. */
  readonly #servedAt = new Map<string, number>();
  #turn = 0;

  constructor(count: number, largestPart = usualPart) {
    this.#count = count;
    this.#largestPart = largestPart;
  }

  get freeCount(): number {
    return this.#count - this.#takenCount;
  }

  take(ownerId: AccountId): void {
    this.#taken.set(ownerId, this.#countOf(ownerId) + 1);
    this.#takenCount += 1;
    this.#turn += 1;
    this.#servedAt.delete(ownerId);
    this.#servedAt.set(ownerId, this.#turn);
    const [first] = this.#servedAt.keys();
    if (this.#servedAt.size > servedMax && first !== undefined) this.#servedAt.delete(first);
  }

  /** Says whether the customer was kept from taking more. */
  free(ownerId: AccountId): { wasAtLimit: boolean } {
    const wasAtLimit = this.roomFor(ownerId) === 0;
    const count = this.#countOf(ownerId) - 1;
    if (count > 0) this.#taken.set(ownerId, count);
    else this.#taken.delete(ownerId);
    this.#takenCount -= 1;
    return { wasAtLimit };
  }

  /** How many more places the customer may take now. */
  roomFor(ownerId: AccountId): number {
    if (ownerId === '') return this.freeCount;
    const own = this.#countOf(ownerId);
    const notOthers = this.freeCount + own;
    return Math.max(0, this.#shareOf(notOthers) - own);
  }

  /** How many places one customer alone may have. */
  get shareOfAll(): number {
    return this.#shareOf(this.#count);
  }

  /** The same for a customer who has none. */
  get roomForNewcomer(): number {
    return this.#shareOf(this.freeCount);
  }

  /** Those who have or had places, and the product itself. */
  holders(): PlaceHolder[] {
    const owners = new Set(['', ...this.#taken.keys(), ...this.#servedAt.keys()]);
    return [...owners].map((ownerId) => ({
      ownerId,
      count: this.#countOf(ownerId),
      room: this.roomFor(ownerId),
      servedAt: this.#servedAt.get(ownerId) ?? 0,
    }));
  }

  /** Who of these gets the next place: the one with the fewest, then the one who was served longest ago. */
  nextOf(ownerIds: Iterable<string>): string | undefined {
    if (this.freeCount === 0) return undefined;
    let next: { ownerId: AccountId; count: number; servedAt: number } | undefined;
    for (const ownerId of ownerIds) {
      if (this.roomFor(ownerId) === 0) continue;
      const one = { ownerId, count: this.#countOf(ownerId), servedAt: this.#servedAt.get(ownerId) ?? 0 };
      const isNext =
        next === undefined ||
        one.count < next.count ||
        (one.count === next.count && one.servedAt < next.servedAt);
      if (isNext) next = one;
    }
    return next?.ownerId;
  }

  /** The part of so many places that one customer may have. If there are two or more, one stays free for a new customer. */
  #shareOf(count: number): number {
    return count < 2 ? count : Math.min(Math.ceil(count * this.#largestPart), count - 1);
  }

  #countOf(ownerId: AccountId): number {
    return this.#taken.get(ownerId) ?? 0;
  }
}
