import { setTimeout as rest } from 'node:timers/promises';

/**
 * Limits some work to a part of the time of its process. Only one slice of the work runs at a time, and after each slice nothing of it
 * runs for as long as the slice took, or a few times as long. So writing a file for one customer does not delay the calls of others.
 */
export interface LoopShare {
  /** Runs a short piece of work after the slices that were requested before. */
  slice<Result>(work: () => Result | Promise<Result>): Promise<Result>;
}

const sliceMsMax = 5_000;
const restMsMax = 1_000;

interface LoopShareOptions {
  /** How long to rest for each millisecond of work. */
  readonly restRatio?: number;
  readonly now?: () => number;
}

export function createLoopShare({
  restRatio = 1,
  now = () => performance.now(),
}: LoopShareOptions = {}): LoopShare {
  let lastSlice: Promise<unknown> = Promise.resolve();
  // A timer waits at least a millisecond, so the rests of short slices are added up first.
  let owedMs = 0;
  const run = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    const began = now();
    try {
      return await work();
    } finally {
      owedMs += (now() - began) * restRatio;
      if (owedMs >= 1) {
        await rest(Math.min(owedMs, restMsMax));
        owedMs = 0;
      }
    }
  };
  return {
    slice: (work) => {
      const slice = lastSlice.then(() => run(work));
      // One that waits for something must not keep all others waiting.
      lastSlice = lastSlice.then(() => overOrLong(slice));
      return slice;
    },
  };
}

/** Resolves when the slice has ended, or takes too long. */
const overOrLong = (slice: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const patience = setTimeout(resolve, sliceMsMax);
    const end = () => {
      clearTimeout(patience);
      resolve();
    };
    slice.then(end, end);
  });

/** Takes each item of long work in a slice of its own. */
export async function* inSlices<Item>(share: LoopShare, work: Iterable<Item>): AsyncGenerator<Item> {
  const items = work[Symbol.iterator]();
  for (;;) {
    const { done, value } = await share.slice(() => items.next());
    if (done) return;
    yield value;
  }
}

/** For the files of all downloads. To compress and send what a slice wrote takes as long again. */
export const fileWriting = createLoopShare({ restRatio: 3 });
/** For the pages of rows that all downloads read from the database. */
export const pageReading = createLoopShare();
