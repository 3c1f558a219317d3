import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { Counter } from 'prom-client';
import type { AccountId } from '../ids.ts';
import { FairQueue } from '../limits/fair-queue.ts';
import type { Logger } from '../logging/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { ReadJob } from './read-job.ts';
import { GivenUp, ReadingThread, TaskOutput } from './thread.ts';

/** A file to read. */
export interface FileOrder {
  readonly ownerId: AccountId;
  readonly byteCount: number;
  /** Its contents. Without them, the job opens the file itself, by an option. */
  readonly bytes?: AsyncIterable<Buffer>;
  /** Answers questions of the job. */
  readonly answer?: ((question: unknown) => Promise<unknown>) | undefined;
  /** Aborts when nobody waits for the result any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface StartedJob<Result> {
  /** What the job writes. If it fails, so does this. */
  readonly output: Readable;
  readonly result: Promise<Result>;
}

export interface ReadingPool {
  read<Options, Result>(job: ReadJob<Options, Result>, file: FileOrder, options: Options): StartedJob<Result>;
  close(): Promise<void>;
}

interface PoolOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly threadsMax?: number;
  /** The processor time that a file may take. */
  readonly cpuMsFor?: (byteCount: number) => number;
  /** How long a file may keep a thread, also while it waits for the file store or the database. */
  readonly threadMsFor?: (byteCount: number) => number;
  readonly waitingPerOwnerMax?: number;
}

/** Reading a shorter file takes less time than handing it to a thread. */
export const shortFileBytes = 8 * 1024;
/** Larger files leave one thread free, so that the others do not wait for minutes behind them. */
const largeFileBytes = 1_000_000;
const waitingMax = 500;
/** The part of the threads that one customer may have: one of three on a small machine, so that the others have its second processor. */
const largestPart = 1 / 3;
/** A customer who sends one file after another gets half of that thread. To stop a job ends its thread, and a new one takes some time to start. */
const restMsMax = 5_000;
const restMsAfterAbort = 500;
const restMsAfter = (ranMs: number, isAborted: boolean): number =>
  Math.min(Math.max(ranMs, isAborted ? restMsAfterAbort : 0), restMsMax);
/** Threads that had no work for this long end, and their memory with them. */
const idleMs = 120_000;

/** One of them is for files that are not large. */
const threadsByProcessors = (): number => Math.min(4, Math.max(2, availableParallelism())) + 1;

// Real files need 0.02 to 0.5 s for each MB; workbooks, which are packed, a few seconds.
const usualCpuMs = (byteCount: number): number => 10_000 + (byteCount / 1_000_000) * 4_000;
// A busy machine may give a thread a third of a processor.
const usualThreadMs = (byteCount: number): number => 30_000 + 3 * usualCpuMs(byteCount);

/** Reads files of customers on threads of their own. See docs/decisions/reading-threads.md. */
export function openReadingPool({
  logger,
  metrics,
  threadsMax = threadsByProcessors(),
  cpuMsFor = usualCpuMs,
  threadMsFor = usualThreadMs,
  waitingPerOwnerMax = 20,
}: PoolOptions): ReadingPool {
  const perCustomer = {
    waitingMax: waitingPerOwnerMax,
    text: 'Too many of your files are waiting to be read. Wait until some of them are done, then try again.',
  };
  const turns = new FairQueue({
    placeCount: threadsMax,
    largestPart,
    largeMax: Math.max(1, threadsMax - 1),
    perCustomer,
    waitingMax,
    restMsAfter,
  });
  const givenUp = showPool(metrics, () => turns.waitingCount);
  const idle: { readonly thread: ReadingThread; readonly timer: NodeJS.Timeout }[] = [];
  const threads = new Set<ReadingThread>();
  const closed = new AbortController();

  const takeThread = (): ReadingThread => {
    for (let last = idle.pop(); last; last = idle.pop()) {
      clearTimeout(last.timer);
      if (last.thread.isAlive) return last.thread;
      threads.delete(last.thread);
    }
    const thread = new ReadingThread();
    threads.add(thread);
    return thread;
  };
  const endThread = (thread: ReadingThread): Promise<void> => {
    threads.delete(thread);
    return thread.end();
  };
  const giveBack = async (thread: ReadingThread): Promise<void> => {
    // The place is free when the thread has ended, so that there are never more of them.
    if (!thread.isAlive || closed.signal.aborted) return endThread(thread);
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.thread === thread),
        1,
      );
      void endThread(thread);
    }, idleMs);
    idle.push({ thread, timer: timer.unref() });
  };

  const runOnThread = async <Options, Result>(
    job: ReadJob<Options, Result>,
    { byteCount, bytes = nothing(), answer }: FileOrder,
    { options, output, signal }: { options: Options; output: TaskOutput; signal: AbortSignal },
  ): Promise<Result> => {
    const thread = takeThread();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new GivenUp('delay', job.name)), threadMsFor(byteCount));
    try {
      const task = { job, options, bytes, answer, output, cpuMsMax: cpuMsFor(byteCount) };
      return await thread.run(task, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (error instanceof GivenUp) {
        givenUp.inc({ reason: error.reason });
        logger.warn({ job: job.name, bytes: byteCount, reason: error.reason }, 'gave a file up');
      }
      throw error;
    } finally {
      clearTimeout(timer);
      await giveBack(thread);
    }
  };

  return {
    read: (job, file, options) => {
      const output = new TaskOutput();
      const stopped = new AbortController();
      const signal = AbortSignal.any([stopped.signal, closed.signal, ...(file.signal ? [file.signal] : [])]);
      const isShort = file.bytes !== undefined && file.byteCount <= shortFileBytes;
      const result = isShort
        ? runInPlace(job, file, { options, output })
        : turns.run(file.ownerId, () => runOnThread(job, file, { options, output, signal }), {
            signal,
            isLarge: file.byteCount > largeFileBytes,
          });
      // A reader who leaves early needs no result.
      output.once('close', () => stopped.abort());
      result.then(
        () => output.push(null),
        (error) => output.destroy(error),
      );
      return { output, result };
    },
    close: async () => {
      closed.abort();
      for (const { timer } of idle) clearTimeout(timer);
      await Promise.all([...threads].map(endThread));
    },
  };
}

async function runInPlace<Options, Result>(
  job: ReadJob<Options, Result>,
  { bytes = nothing(), answer }: FileOrder,
  { options, output }: { readonly options: Options; readonly output: TaskOutput },
): Promise<Result> {
  // What a short file gives is short too, so it may wait.
  const write = async (written: Uint8Array) => void output.push(Buffer.from(written));
  return job.run({ bytes, write, ...(answer && { ask: answer }) }, options);
}

function showPool({ registry, watch }: Metrics, countWaiting: () => number): Counter<'reason'> {
  watch({
    name: 'assay_files_waiting',
    help: 'Files and long JSON lists that wait for a reading thread.',
    read: countWaiting,
  });
  return new Counter({
    name: 'assay_files_given_up_total',
    help: 'Files that were beyond their budget of processor time or memory, or kept a thread for too long.',
    labelNames: ['reason'],
    registers: [registry],
  });
}

async function* nothing(): AsyncGenerator<Buffer> {}
