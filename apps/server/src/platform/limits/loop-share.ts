import { setTimeout as rest } from 'node:timers/promises';

/**
 * Limits some work to half of the event loop of its process. Only one slice of the work runs at a time, and after each slice the
 * loop is free for as long as the slice took. So writing a file for one customer does not delay the calls of others.
 */
export interface LoopShare {
  /** Runs a short piece of work after the slices that were requested before. */
  slice<Result>(work: () => Result): Promise<Result>;
}

export function createLoopShare(now: () => number = () => performance.now()): LoopShare {
  let lastSlice: Promise<unknown> = Promise.resolve();
  // A timer waits at least a millisecond, so the rests of short slices are added up first.
  let owedMs = 0;
  const run = async <Result>(work: () => Result): Promise<Result> => {
    const began = now();
    try {
      return work();
    } finally {
      owedMs += now() - began;
      if (owedMs >= 1) {
        await rest(owedMs);
        owedMs = 0;
      }
    }
  };
  return {
    slice: (work) => {
      const slice = lastSlice.then(() => run(work));
      lastSlice = slice.catch(() => undefined);
      return slice;
    },
  };
}

/** For the files of all downloads. */
export const fileWriting = createLoopShare();
