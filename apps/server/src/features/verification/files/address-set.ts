export interface AddressHash {
  readonly low: number;
  readonly high: number;
}

const emptySlot = 0;
const firstCapacity = 1 << 12;
/** The two halves of a hash and the row's number plus one, so that 0 is an empty slot. */
const slotLength = 3;

/**
 * Finds repeated addresses of a file, in 12 bytes per address: a 64-bit hash and the first row with it. The chance that two
 * of a million different addresses share a hash is below one in ten million; the addresses themselves would need ten
 * times the memory. The parts of a slot are adjacent, because memory access dominates the cost of a table of this size.
 * The owner frees it, so that the memory is returned at once.
 */
export class AddressSet {
  #capacity = firstCapacity;
  #slots = allocate(firstCapacity);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The first row with this hash, or -1 when the hash is new; it is then added. */
  findOrAdd({ low, high }: AddressHash, row: number): number {
    const slot = this.#slotOf(low, high);
    const mark = this.#slots[slot + 2] as number;
    if (mark !== emptySlot) return mark - 1;

    this.#write(slot, low, high, row + 1);
    this.#size++;
    if (this.#size * 2 > this.#capacity) this.#grow();
    return -1;
  }

  has({ low, high }: AddressHash): boolean {
    return this.#slots[this.#slotOf(low, high) + 2] !== emptySlot;
  }

  /** The slot of a hash, or the empty slot where it belongs. */
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

/** A resizable buffer returns its memory to the system; the allocator keeps that of other buffers. */
function allocate(capacity: number): Uint32Array<ArrayBuffer> {
  const byteLength = capacity * slotLength * Uint32Array.BYTES_PER_ELEMENT;
  return new Uint32Array(new ArrayBuffer(byteLength, { maxByteLength: byteLength }));
}
