import { setFlagsFromString } from 'node:v8';

const longListFrom = 10_000;

/**
 * V8 lets the heap grow to several times of what is in use as long as addresses pass through it, for a gain of a few per
 * cent. A list of any length should need the memory of a short one: the old generation grows by a quarter before it is
 * swept, from the first sweep on, and the young one no more once a short list would be through.
 */
export class HeapGrowth {
  #isYoungBounded = false;

  constructor() {
    setFlagsFromString('--heap-growing-percent=25');
  }

  bound(addressCount: number): void {
    if (this.#isYoungBounded || addressCount < longListFrom) return;
    this.#isYoungBounded = true;
    setFlagsFromString('--semi-space-growth-factor=1');
  }
}
