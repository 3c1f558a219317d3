export interface AddressHash {
  readonly low: number;
  readonly high: number;
}

const emptySlot = 0;
const firstCapacity = 1 << 12;
/** The two halves of a hash, and a mark: the row's number plus one, so that 0 is an empty slot. */
const slotLength = 3;

/**
 * Tells which addresses of a file were seen before, in 12 bytes an address: a 64-bit hash and the row that had it first.
 * The chance that two of a million different addresses share a hash is below one in ten million; holding the addresses
 * themselves would cost ten times the memory. What belongs together lies side by side, because a look at a table of
 * this size is a wait for memory. Whoever makes one frees it, so that the memory is given back at once.
 */
export class AddressSet {
  #capacity = firstCapacity;
  #slots = allocate(firstCapacity);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The row that had the address of this hash first, or -1 when it is new, which it then no longer is. */
  findOrAdd({ low, high }: AddressHash, row: number): number {
    const slot = this.#slotOf(low, high);
    const mark = this.#slots[slot + 2] as number;
    if (mark !== emptySlot) return mark - 1;

    this.#write(slot, low, high, row + 1);
    this.#size++;
    if (this.#size * 2 > this.#capacity) this.#grow();
    return -1;
  }

  /** Where a hash stands, or the empty place where it would. */
  #slotOf(low: number, high: number): number {
    const slots = this.#slots;
    const mask = this.#capacity - 1;
    let index = low & mask;
    for (;;) {
      const slot = index * slotLength;
      if (slots[slot + 2] === emptySlot || (slots[slot] === low && slots[slot + 1] === high)) return slot;
      index = (index + 1) & mask;
    }
  }

  #write(slot: number, low: number, high: number, mark: number): void {
    this.#slots[slot] = low;
    this.#slots[slot + 1] = high;
    this.#slots[slot + 2] = mark;
  }

  #grow(): void {
    const old = this.#slots;
    this.#capacity *= 2;
    this.#slots = allocate(this.#capacity);
    for (let slot = 0; slot < old.length; slot += slotLength) {
      const mark = old[slot + 2] as number;
      if (mark === emptySlot) continue;
      const low = old[slot] as number;
      const high = old[slot + 1] as number;
      this.#write(this.#slotOf(low, high), low, high, mark);
    }
    old.buffer.resize(0);
  }

  free(): void {
    this.#slots.buffer.resize(0);
  }
}

/** Memory that can be resized is the system's own, and goes back to it; other is kept by the allocator when it is freed. */
function allocate(capacity: number): Uint32Array<ArrayBuffer> {
  const byteLength = capacity * slotLength * Uint32Array.BYTES_PER_ELEMENT;
  return new Uint32Array(new ArrayBuffer(byteLength, { maxByteLength: byteLength }));
}
