import { setImmediate as nextTurn } from 'node:timers/promises';

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
/** Rows that are sorted, merged or written at once: a list may have millions. */
const rowsPerStep = 1 << 16;

/** Sorted rows, two numbers of each: its place among all rows, and its key. */
type Sorted = Uint32Array;

/** Collects the rows of a run and sorts them by the hash of their address. */
export class RowPacker {
  /** The last one is not full and not sorted yet. */
  readonly #sorted: Sorted[] = [];
  // The key above the place: sorting numbers of 64 bits takes a tenth of the time of sorting objects.
  #keys = new BigUint64Array(rowsPerStep);
  #halves = new Uint32Array(this.#keys.buffer);
  /** The list and the row number of each row, by its place. */
  readonly #rows = [new Uint32Array(2 * rowsPerStep)];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ key, list, rowNumber }: PackedRow): void {
    const place = this.#size++;
    const at = 2 * (place % rowsPerStep);
    this.#halves[at] = place;
    this.#halves[at + 1] = key;
    const rows = this.#rows.at(-1) as Uint32Array;
    rows[at] = list;
    rows[at + 1] = rowNumber;
    if (this.#size % rowsPerStep > 0) return;
    this.#sorted.push(this.#sortStep(rowsPerStep));
    this.#keys = new BigUint64Array(rowsPerStep);
    this.#halves = new Uint32Array(this.#keys.buffer);
    this.#rows.push(new Uint32Array(2 * rowsPerStep));
  }

  #sortStep(size: number): Sorted {
    this.#keys.subarray(0, size).sort();
    return this.#halves.subarray(0, 2 * size);
  }

  /** All rows in the order of their keys. Rows of one key are in one pack. Call it once, after the last row. */
  async *packs(): AsyncGenerator<AddressPack> {
    const sorted = await mergeAll([...this.#sorted, this.#sortStep(this.#size % rowsPerStep)]);
    const keyAt = (index: number) => sorted[2 * index + 1] as number;
    for (let from = 0; from < this.#size; ) {
      let to = Math.min(from + entriesPerPack, this.#size);
      while (to < this.#size && keyAt(to) === keyAt(to - 1)) to += 1;
      const entries = Buffer.allocUnsafe((to - from) * entryBytes);
      for (let index = from; index < to; index++) {
        const place = sorted[2 * index] as number;
        const rows = this.#rows[Math.floor(place / rowsPerStep)] as Uint32Array;
        const rowAt = 2 * (place % rowsPerStep);
        const at = (index - from) * entryBytes;
        entries.writeUInt32LE(keyAt(index), at);
        entries.writeUInt32LE(rows[rowAt] as number, at + 4);
        entries.writeUInt32LE(rows[rowAt + 1] as number, at + 8);
      }
      yield { firstKey: keyAt(from), entries };
      from = to;
    }
  }
}

async function mergeAll(all: readonly Sorted[]): Promise<Sorted> {
  const [first = new Uint32Array(), ...others] = all;
  if (others.length === 0) return first;
  const merged: Sorted[] = [];
  for (let at = 0; at < all.length; at += 2) {
    const [one, other] = [all[at] as Sorted, all[at + 1]];
    merged.push(other ? await merge(one, other) : one);
  }
  return mergeAll(merged);
}

/** In steps, with other work between them. */
async function merge(one: Sorted, other: Sorted): Promise<Sorted> {
  const merged = new Uint32Array(one.length + other.length);
  let [oneAt, otherAt] = [0, 0];
  for (let at = 0; at < merged.length; ) {
    const end = Math.min(at + 2 * rowsPerStep, merged.length);
    for (; at < end; at += 2) {
      const isOne =
        otherAt >= other.length ||
        (oneAt < one.length && (one[oneAt + 1] as number) <= (other[otherAt + 1] as number));
      const from = isOne ? one : other;
      const fromAt = isOne ? oneAt : otherAt;
      merged[at] = from[fromAt] as number;
      merged[at + 1] = from[fromAt + 1] as number;
      if (isOne) oneAt += 2;
      else otherAt += 2;
    }
    await nextTurn();
  }
  return merged;
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
