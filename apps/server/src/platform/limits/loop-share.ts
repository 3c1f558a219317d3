import { setTimeout as rest } from 'node:timers/promises';

/**
 * Work of one process that may use half of its event loop at most. Slices run one after the other, whoever asks for them, and the
 * loop is free for as long as each of them took. So files that are written for one customer do not delay the calls of others.
 */
export interface LoopShare {
  /** Runs a short piece of work when it is its turn. */
  slice<Result>(work: () => Result): Promise<Result>;
}

export function createLoopShare(now: () => number = () => performance.now()): LoopShare {
  let lastSlice: Promise<unknown> = Promise.resolve();
  // Slices that are shorter than a timer can wait add up first.
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
