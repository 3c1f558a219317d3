/** Something that waits for its turn. */
export interface Waiting {
  readonly ownerId: string;
  /** Called when its turn comes. */
  start(): void;
}

/**
 * A line in which customers take turns: next is the first of the customer with the fewest places, and among those of the one
 * who has waited longest. One customer never has all places.
 */
export class FairLine {
  readonly #placesPerOwner: number;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #places = new Map<string, number>();
  #free: number;
  #length = 0;

  constructor(places: number) {
    this.#free = places;
    this.#placesPerOwner = Math.max(1, places - 1);
  }

  get length(): number {
    return this.#length;
  }

  lengthOf(ownerId: string): number {
    return this.#waiting.get(ownerId)?.length ?? 0;
  }

  join(waiting: Waiting): void {
    const others = this.#waiting.get(waiting.ownerId);
    if (others) others.push(waiting);
    else this.#waiting.set(waiting.ownerId, [waiting]);
    this.#length += 1;
    this.#startNext();
  }

  /** Whether it was still waiting. */
  leave(waiting: Waiting): boolean {
    const own = this.#waiting.get(waiting.ownerId) ?? [];
    const at = own.indexOf(waiting);
    if (at < 0) return false;
    own.splice(at, 1);
    this.#length -= 1;
    if (own.length === 0) this.#waiting.delete(waiting.ownerId);
    return true;
  }

  /** Gives a place back. */
  free({ ownerId }: Pick<Waiting, 'ownerId'>): void {
    const left = this.#placesOf(ownerId) - 1;
    if (left === 0) this.#places.delete(ownerId);
    else this.#places.set(ownerId, left);
    this.#free += 1;
    this.#startNext();
  }

  #placesOf(ownerId: string): number {
    return this.#places.get(ownerId) ?? 0;
  }

  #startNext(): void {
    if (this.#free === 0) return;
    const owners = [...this.#waiting.keys()].filter((owner) => this.#placesOf(owner) < this.#placesPerOwner);
    const [first, ...others] = owners;
    if (first === undefined) return;
    const ownerId = others.reduce(
      (best, owner) => (this.#placesOf(owner) < this.#placesOf(best) ? owner : best),
      first,
    );
    const [next, ...later] = this.#waiting.get(ownerId) as [Waiting, ...Waiting[]];
    // To the end, so that the others come first.
    this.#waiting.delete(ownerId);
    if (later.length > 0) this.#waiting.set(ownerId, later);
    this.#length -= 1;
    this.#free -= 1;
    this.#places.set(ownerId, this.#placesOf(ownerId) + 1);
    next.start();
  }
}
