import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const oldSpaceGrowthPercent = 60;
const newSpaceBytesMax = 64 << 20;

/**
 * Left to itself V8 lets the heap grow to several times of what is in use while a large file passes through, and keeps it.
 * The size of the new space can only be bounded from the command line, so its growth is turned off where it is large
 * enough, and on again when V8 has made it smaller.
 */
export function boundHeap(bytesMax = newSpaceBytesMax): void {
  setFlagsFromString(`--heap-growing-percent=${oldSpaceGrowthPercent}`);
  let growsBy = 0;
  const bound = () => {
    const wanted = newSpaceBytes() < bytesMax ? 2 : 1;
    if (wanted === growsBy) return;
    growsBy = wanted;
    setFlagsFromString(`--semi-space-growth-factor=${growsBy}`);
  };
  bound();
  new PerformanceObserver(bound).observe({ entryTypes: ['gc'] });
}

export const newSpaceBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
