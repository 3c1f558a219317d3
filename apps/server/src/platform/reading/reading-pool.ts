import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { AppError } from '../errors/index.ts';
import type { Logger } from '../logging/index.ts';
import { FairLine } from './fair-line.ts';
import type { ReadJob } from './read-job.ts';
import { GivenUp, ReadingThread, TaskOutput } from './thread.ts';

/** A file to read. */
export interface FileOrder {
  readonly ownerId: string;
  readonly byteCount: number;
  /** Its contents. Without them, the job opens the file itself, by an option. */
  readonly bytes?: AsyncIterable<Buffer>;
  /** Aborts when nobody waits for the result any more. */
  readonly signal?: AbortSignal | undefined;
}

/** A job under way. */
export interface Reading<Result> {
  /** What the job writes. If it fails, so does this. */
  readonly output: Readable;
  readonly result: Promise<Result>;
}

export interface ReadingPool {
  read<Options, Result>(job: ReadJob<Options, Result>, file: FileOrder, options: Options): Reading<Result>;
  close(): Promise<void>;
}

interface PoolOptions {
  readonly logger: Logger;
  readonly threadsMax?: number;
  /** The processor time that a file may take. */
  readonly cpuMsFor?: (byteCount: number) => number;
  readonly waitingPerOwnerMax?: number;
}

/** Reading a shorter file takes less time than handing it to a thread. */
export const shortFileBytes = 8 * 1024;
const waitingMax = 500;
const retryAfterSeconds = 10;
/** Threads that had no work for this long end, and their memory with them. */
const idleMs = 120_000;

const threadsByProcessors = (): number => Math.min(4, Math.max(2, availableParallelism()));

// Real files need 0.02 to 0.5 s for each MB; workbooks, which are packed, a few seconds.
const usualCpuMs = (byteCount: number): number => 10_000 + (byteCount / 1_000_000) * 4_000;

/** Reads files of customers on threads of their own. See docs/decisions/reading-threads.md. */
export function openReadingPool({
  logger,
  threadsMax = threadsByProcessors(),
  cpuMsFor = usualCpuMs,
  waitingPerOwnerMax = 20,
}: PoolOptions): ReadingPool {
  const line = new FairLine(threadsMax);
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
  const giveBack = (thread: ReadingThread): void => {
    if (!thread.isAlive || closed.signal.aborted) {
      void endThread(thread);
      return;
    }
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.thread === thread),
        1,
      );
      void endThread(thread);
    }, idleMs);
    idle.push({ thread, timer: timer.unref() });
  };

  /** Waits for a place among the customers' files. Answers how to give it back. */
  const takePlace = (ownerId: string, signal: AbortSignal): Promise<() => void> => {
    if (line.lengthOf(ownerId) >= waitingPerOwnerMax) throw tooManyFiles(waitingPerOwnerMax);
    if (line.length >= waitingMax) throw new AppError('service_unavailable');
    return new Promise((resolve, reject) => {
      const waiting = { ownerId, start: () => resolve(() => line.free(waiting)) };
      signal.addEventListener('abort', () => {
        if (line.leave(waiting)) reject(signal.reason);
      });
      line.join(waiting);
    });
  };

  const runOnThread = async <Options, Result>(
    job: ReadJob<Options, Result>,
    { ownerId, byteCount, bytes = nothing() }: FileOrder,
    { options, output, signal }: { options: Options; output: TaskOutput; signal: AbortSignal },
  ): Promise<Result> => {
    signal.throwIfAborted();
    const leave = await takePlace(ownerId, signal);
    const thread = takeThread();
    try {
      return await thread.run({ job, options, bytes, output, cpuMsMax: cpuMsFor(byteCount) }, signal);
    } catch (error) {
      if (error instanceof GivenUp)
        logger.warn({ job: job.name, bytes: byteCount, reason: error.reason }, 'gave a file up');
      throw error;
    } finally {
      giveBack(thread);
      leave();
    }
  };

  return {
    read: (job, file, options) => {
      const output = new TaskOutput();
      const stopped = new AbortController();
      const signal = AbortSignal.any([stopped.signal, closed.signal, ...(file.signal ? [file.signal] : [])]);
      const isShort = file.bytes !== undefined && file.byteCount <= shortFileBytes;
      const result = isShort
        ? runInPlace(job, file.bytes ?? nothing(), { options, output })
        : runOnThread(job, file, { options, output, signal });
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
  bytes: AsyncIterable<Buffer>,
  { options, output }: { readonly options: Options; readonly output: TaskOutput },
): Promise<Result> {
  // What a short file gives is short too, so it may wait.
  return job.run({ bytes, write: async (written) => void output.push(Buffer.from(written)) }, options);
}

async function* nothing(): AsyncGenerator<Buffer> {}

const tooManyFiles = (max: number): AppError =>
  new AppError(
    'too_many_requests',
    {},
    {
      text: 'Too many of your files are waiting to be read. Wait until some of them are done, then try again.',
      meta: { max, retry_after_seconds: retryAfterSeconds },
    },
  );
