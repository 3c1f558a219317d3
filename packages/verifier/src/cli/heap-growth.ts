import { setFlagsFromString } from 'node:v8';

const longListFrom = 10_000;
let isBounded = false;

/**
 * V8 lets the heap grow to several times of what is in use as long as addresses pass through it, for a gain of a few per
 * cent. A list of any length should need the memory of a short one, so with the first addresses behind it a long list goes
 * on in the space it has: the young generation grows no more, and the old one by a quarter before it is swept.
 */
export function boundHeapGrowth(addressCount: number): void {
  if (isBounded || addressCount < longListFrom) return;
  isBounded = true;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=25');
}
