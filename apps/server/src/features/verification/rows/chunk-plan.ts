import { isTestDomain } from '../../engine/reading.ts';

/** Long enough to share connections, short enough to repeat when a worker dies. */
export const chunkLength = 250;

const rowNumberSpan = 2 ** 27;
const domainHashSpan = 2 ** 26;

/**
 * Sorts a list by domain and cuts it into chunks, so that rows share connections and catch-all proofs. Needs 8 bytes per
 * row: a hash of the domain and the row's number in the 53 bits of a double. Domains with equal hashes are only sorted
 * next to each other.
 */
export class ChunkPlan {
  readonly #keys: Float64Array;
  #size = 0;
  /** Whether some address is outside `.test`, so that real mail hosts will be asked. */
  hasRealDomain = false;

  constructor(rowsMax: number) {
    this.#keys = new Float64Array(rowsMax);
  }

  get size(): number {
    return this.#size;
  }

  add(rowNumber: number, domain: string): void {
    if (this.#size === this.#keys.length) throw new RangeError('More rows than were counted before.');
    this.hasRealDomain ||= !isTestDomain(domain);
    this.#keys[this.#size++] = hashOf(domain) * rowNumberSpan + rowNumber;
  }

  *cut(length: number): Generator<number[]> {
    const keys = this.#keys.subarray(0, this.#size).sort();
    for (let start = 0; start < keys.length; start += length) {
      yield Array.from(keys.subarray(start, start + length), (key) => key % rowNumberSpan);
    }
  }
}

function hashOf(domain: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < domain.length; at++) hash = Math.imul(hash ^ domain.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % domainHashSpan;
}
