import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// V8 lets the space for new objects grow to a hundred megabytes as long as addresses pass through it, for a gain of a few
// per cent. A list of any length should need the memory of a short one.
const enoughBytes = 8_000_000;
let isBounded = false;

/** Stops the growth of the young generation once it is large enough. To be called now and then; costs nothing later. */
export function boundYoungGeneration(): void {
  if (isBounded) return;
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if ((space?.space_size ?? 0) < enoughBytes) return;
  isBounded = true;
  setFlagsFromString('--semi-space-growth-factor=1');
}
