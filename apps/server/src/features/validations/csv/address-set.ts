export interface AddressHash {
  readonly low: number;
  readonly high: number;
}

const emptySlot = 0;
const firstCapacity = 1 << 12;

/**
 * Tells which addresses of a file were seen before, in 12 bytes an address: a 64-bit hash and the row that had it first.
 * The chance that two of a million different addresses share a hash is below one in ten million; holding the addresses
 * themselves would cost ten times the memory.
 */
export class AddressSet {
  #capacity = firstCapacity;
  #low = new Uint32Array(firstCapacity);
  #high = new Uint32Array(firstCapacity);
  /** Row number plus one, so that 0 marks an empty slot. */
  #rows = new Uint32Array(firstCapacity);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The row that had the address of this hash first, or -1 when it is new, which it then no longer is. */
  findOrAdd({ low, high }: AddressHash, row: number): number {
    const slot = this.#slotOf(low, high);
    const found = this.#rows[slot] as number;
    if (found !== emptySlot) return found - 1;

    this.#write(slot, low, high, row + 1);
    this.#size++;
    if (this.#size * 2 > this.#capacity) this.#grow();
    return -1;
  }

  #slotOf(low: number, high: number): number {
    const mask = this.#capacity - 1;
    let slot = low & mask;
    while (this.#rows[slot] !== emptySlot && (this.#low[slot] !== low || this.#high[slot] !== high)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #write(slot: number, low: number, high: number, mark: number): void {
    this.#low[slot] = low;
    this.#high[slot] = high;
    this.#rows[slot] = mark;
  }

  #grow(): void {
    const [low, high, rows] = [this.#low, this.#high, this.#rows];
    this.#capacity *= 2;
    this.#low = new Uint32Array(this.#capacity);
    this.#high = new Uint32Array(this.#capacity);
    this.#rows = new Uint32Array(this.#capacity);
    for (let slot = 0; slot < rows.length; slot++) {
      const mark = rows[slot] as number;
      if (mark === emptySlot) continue;
      const slotLow = low[slot] as number;
      const slotHigh = high[slot] as number;
      this.#write(this.#slotOf(slotLow, slotHigh), slotLow, slotHigh, mark);
    }
  }
}
