import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 10;

export interface LoopDelay {
  /** The average delay of the last interval, in milliseconds; infinite if the loop was blocked throughout. */
  readonly ms: number;
  close(): void;
}

export function watchLoopDelay(intervalMs: number): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let ms = 0;
  const timer = setInterval(() => {
    // Without a sample there is no mean.
    ms = Number.isNaN(histogram.mean)
      ? Number.POSITIVE_INFINITY
      : Math.max(0, histogram.mean / 1e6 - resolutionMs);
    histogram.reset();
  }, intervalMs).unref();
  return {
    get ms() {
      return ms;
    },
    close: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
