import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors/index.ts';
import type { FromThread, ToThread } from './messages.ts';
import type { ReadJob } from './read-job.ts';

/** Bytes outside of V8's heap, such as the set of addresses, have bounds of their own. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
/** How often the used processor time is looked at. */
const lookMs = 250;
/** Pieces of output that wait for the caller. */
const outputPiecesMax = 4;

export interface ThreadTask<Options, Result> {
  readonly job: ReadJob<Options, Result>;
  readonly options: Options;
  readonly bytes: AsyncIterable<Buffer>;
  readonly cpuMsMax: number;
  readonly output: TaskOutput;
}

/** A file was too hard to read. */
export class GivenUp extends AppError {
  readonly reason: 'time' | 'memory';
  constructor(reason: 'time' | 'memory', name: string) {
    super('file_too_complex', { job: name, reason });
    this.reason = reason;
  }
}

/** The output of a job, at the pace of the one who reads it. */
export class TaskOutput extends Readable {
  /** Called when the reader wants one more piece. */
  onTake: () => void = () => undefined;
  #takes = 0;

  constructor() {
    super({ objectMode: true, highWaterMark: outputPiecesMax });
    // The result says the same.
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.#takes += 1;
    this.onTake();
  }

  /** Passes on what was asked for before the job began. */
  begin(onTake: () => void): void {
    this.onTake = onTake;
    for (let take = 0; take < this.#takes; take++) onTake();
  }
}

/** One thread. It runs one job at a time, and may have to be ended to stop a job. */
export class ReadingThread {
  readonly #worker = new Worker(new URL('./reading-thread.ts', import.meta.url), { resourceLimits });
  #hear: (word: FromThread) => void = () => undefined;
  #fall: (error: Error) => void = () => undefined;
  isAlive = true;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (word: FromThread) => this.#hear(word));
    this.#worker.on('error', (error) => this.#fall(error));
    this.#worker.on('exit', () => {
      this.isAlive = false;
      this.#fall(new Error('A reading thread ended.'));
    });
  }

  /** Runs a job to its end. A job that must stop takes its thread with it. */
  async run<Options, Result>(task: ThreadTask<Options, Result>, signal: AbortSignal): Promise<Result> {
    const { job, options, bytes, output } = task;
    signal.throwIfAborted();
    this.#worker.ref();
    const input = bytes[Symbol.asyncIterator]();
    const watch = new AbortController();
    try {
      return await new Promise<Result>((resolve, reject) => {
        this.#fall = (error) => reject(isOutOfMemory(error) ? new GivenUp('memory', job.name) : error);
        const feed = feeder(input, (word) => this.#say(word), watch.signal);
        this.#hear = (word) => {
          if (word.kind === 'more') feed.sendNext();
          else if (word.kind === 'output') output.push(Buffer.from(word.bytes.buffer));
          else if (feed.failure) reject(feed.failure.error);
          else if (word.kind === 'done') resolve(word.result as Result);
          else if (word.kind === 'failed') reject(word.error);
          else {
            const { code, details, text, meta } = word.refusal;
            reject(new AppError(code, details, { text, meta }));
          }
        };
        const stop = (error: unknown) => {
          reject(error);
          void this.end();
        };
        signal.addEventListener('abort', () => stop(signal.reason), { signal: watch.signal });
        void this.#watchTime(task.cpuMsMax, watch.signal, () => stop(new GivenUp('time', job.name)));
        this.#say({ kind: 'start', module: job.module, name: job.name, options });
        output.begin(() => this.#say({ kind: 'take' }));
      });
    } finally {
      watch.abort();
      output.onTake = () => undefined;
      this.#hear = () => undefined;
      this.#fall = () => undefined;
      this.#worker.unref();
      // Not awaited: a read that hangs would keep the thread from its next job.
      input.return?.().catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    this.isAlive = false;
    await this.#worker.terminate();
  }

  #say(word: ToThread): void {
    this.#worker.postMessage(word, word.kind === 'bytes' ? [word.bytes.buffer as ArrayBuffer] : []);
  }

  /** Asks the thread from outside, because one that is busy answers no message. */
  async #watchTime(cpuMsMax: number, signal: AbortSignal, onUsedUp: () => void): Promise<void> {
    const usedMs = () =>
      this.#worker.cpuUsage().then(
        ({ user, system }) => (user + system) / 1_000,
        () => 0,
      );
    const before = await usedMs();
    if (signal.aborted) return;
    const timer = setInterval(async () => {
      if ((await usedMs()) - before > cpuMsMax && !signal.aborted) onUsedUp();
    }, lookMs);
    signal.addEventListener('abort', () => clearInterval(timer));
  }
}

interface Feeder {
  sendNext(): void;
  /** Why the input cannot be read. The thread is told, and ends its job, so that it is free for the next. */
  failure?: { readonly error: unknown };
}

/** Sends one piece of the input for each call, in order, and none once the job is over. */
function feeder(input: AsyncIterator<Buffer>, say: (word: ToThread) => void, over: AbortSignal): Feeder {
  let last: Promise<unknown> = Promise.resolve();
  let isRead = false;
  const send = async (): Promise<void> => {
    if (isRead || over.aborted) return;
    const word = await input.next().then(
      ({ value, done }): ToThread =>
        // A copy, because the bytes may be part of a larger buffer, and go over to the thread.
        done ? { kind: 'end' } : { kind: 'bytes', bytes: new Uint8Array(value) },
      (error: unknown): ToThread => {
        feed.failure = { error };
        return { kind: 'input failed' };
      },
    );
    isRead = word.kind !== 'bytes';
    if (!over.aborted) say(word);
  };
  const feed: Feeder = {
    sendNext: () => {
      last = last.then(send);
    },
  };
  return feed;
}

const isOutOfMemory = (error: NodeJS.ErrnoException): boolean => error.code === 'ERR_WORKER_OUT_OF_MEMORY';
