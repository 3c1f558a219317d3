/** A row of a list in a run. */
interface PackedRow {
  readonly key: number;
  /** Which of the run's lists. */
  readonly list: number;
  readonly rowNumber: number;
}

export interface AddressPack {
  readonly firstKey: number;
  readonly entries: Buffer;
}

const entryBytes = 12;
/** A pack has a place in its table's page, without compression or a table beside. */
const entriesPerPack = 160;
const firstCapacity = 1 << 14;

/** Collects the rows of a run and sorts them by the hash of their address. */
export class RowPacker {
  // The key above the place in `#rows`: sorting numbers of 64 bits takes a tenth of the time of sorting objects.
  #keys = new BigUint64Array(firstCapacity);
  #rows = new Uint32Array(2 * firstCapacity);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ key, list, rowNumber }: PackedRow): void {
    if (this.#size === this.#keys.length) this.#grow();
    const at = this.#size++;
    const halves = new Uint32Array(this.#keys.buffer, at * 8, 2);
    halves[0] = at;
    halves[1] = key;
    this.#rows[2 * at] = list;
    this.#rows[2 * at + 1] = rowNumber;
  }

  #grow(): void {
    const keys = new BigUint64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    const rows = new Uint32Array(this.#rows.length * 2);
    rows.set(this.#rows);
    this.#rows = rows;
  }

  /** All rows in the order of their keys. Rows of one key are in one pack. */
  *packs(): Generator<AddressPack> {
    const sorted = this.#keys.subarray(0, this.#size).sort();
    const halves = new Uint32Array(sorted.buffer, 0, 2 * this.#size);
    for (let from = 0; from < this.#size; ) {
      let to = Math.min(from + entriesPerPack, this.#size);
      while (to < this.#size && halves[2 * to + 1] === halves[2 * to - 1]) to += 1;
      const entries = Buffer.allocUnsafe((to - from) * entryBytes);
      for (let index = from; index < to; index++) {
        const place = halves[2 * index] as number;
        const at = (index - from) * entryBytes;
        entries.writeUInt32LE(halves[2 * index + 1] as number, at);
        entries.writeUInt32LE(this.#rows[2 * place] as number, at + 4);
        entries.writeUInt32LE(this.#rows[2 * place + 1] as number, at + 8);
      }
      yield { firstKey: halves[2 * from + 1] as number, entries };
      from = to;
    }
  }
}

/** The rows of a pack whose key is wanted. Both are in the order of their keys, so each is read once. */
export function rowsIn(entries: Buffer, wanted: Uint32Array): PackedRow[] {
  const rows: PackedRow[] = [];
  let place = 0;
  for (let at = 0; at + entryBytes <= entries.length; at += entryBytes) {
    const key = entries.readUInt32LE(at);
    if (at === 0) place = firstFrom(wanted, key);
    while (place < wanted.length && (wanted[place] as number) < key) place += 1;
    if (place === wanted.length) break;
    if (wanted[place] === key)
      rows.push({ key, list: entries.readUInt32LE(at + 4), rowNumber: entries.readUInt32LE(at + 8) });
  }
  return rows;
}

/** The place of the first of some sorted keys that is not below a key. */
function firstFrom(keys: Uint32Array, key: number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
