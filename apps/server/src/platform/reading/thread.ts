import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors/index.ts';
import type { FromThread, ToThread } from './messages.ts';
import type { ReadJob } from './read-job.ts';

/** These limit V8's heap. Readers limit the memory that they use outside of it. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
/** How often we read the processor time that a thread has used. */
const cpuPollMs = 250;
/** Pieces of output that may wait for the caller. */
const outputPiecesMax = 4;
const retryAfterSeconds = 60;

export interface ThreadTask<Options, Result> {
  readonly job: ReadJob<Options, Result>;
  readonly options: Options;
  readonly bytes: AsyncIterable<Buffer>;
  readonly answer: ((question: unknown) => Promise<unknown>) | undefined;
  readonly cpuMsMax: number;
  readonly output: TaskOutput;
}

/** The file needs too much processor time or memory, or our file store or database kept its thread waiting. */
type GivenUpReason = 'time' | 'memory' | 'delay';

/** We stopped to read a file. */
export class GivenUp extends AppError {
  readonly reason: GivenUpReason;
  constructor(reason: GivenUpReason, name: string) {
    const details = { job: name, reason };
    if (reason === 'delay') super('service_unavailable', details, delayed);
    else super('file_too_complex', details);
    this.reason = reason;
  }
}

const delayed = {
  text: 'Reading this file took too long on our side. Please try again in a minute.',
  meta: { retry_after_seconds: retryAfterSeconds },
};

/** The output of a job. The job waits while the caller reads nothing. */
export class TaskOutput extends Readable {
  /** Called when the caller wants one more piece. */
  onTake: () => void = () => undefined;
  #takes = 0;

  constructor() {
    super({ objectMode: true, highWaterMark: outputPiecesMax });
    // The result of the job rejects with the same error.
    this.on('error', () => undefined);
  }

  override _read(): void {
    this.#takes += 1;
    this.onTake();
  }

  /** Connects the output to its job, and requests the pieces that the caller wanted before. */
  begin(onTake: () => void): void {
    this.onTake = onTake;
    for (let take = 0; take < this.#takes; take++) onTake();
  }
}

/** One thread. It runs one job at a time. Stopping a job ends its thread. */
export class ReadingThread {
  readonly #worker: Worker;
  #onMessage: (word: FromThread) => void = () => undefined;
  #onEnded: (error: Error) => void = () => undefined;
  isAlive = true;

  constructor() {
    const worker = new Worker(new URL('./reading-thread.ts', import.meta.url), { resourceLimits });
    worker.unref();
    worker.on('message', (word: FromThread) => this.#onMessage(word));
    worker.on('error', (error) => {
      // The 'exit' event comes later. Until then, no job may get this thread.
      this.isAlive = false;
      this.#onEnded(error);
    });
    worker.on('exit', () => {
      this.isAlive = false;
      this.#onEnded(new Error('A reading thread ended.'));
    });
    this.#worker = worker;
  }

  /** Runs a job to its end. If the signal aborts, the job and the thread end. */
  async run<Options, Result>(task: ThreadTask<Options, Result>, signal: AbortSignal): Promise<Result> {
    const { job, options, bytes, answer, output } = task;
    signal.throwIfAborted();
    this.#worker.ref();
    const input = bytes[Symbol.asyncIterator]();
    const watch = new AbortController();
    try {
      return await new Promise<Result>((resolve, reject) => {
        this.#onEnded = (error) => reject(isOutOfMemory(error) ? new GivenUp('memory', job.name) : error);
        const feed = feeder(input, (word) => this.#send(word), watch.signal);
        this.#onMessage = (word) => {
          if (word.kind === 'more') feed.sendNext();
          else if (word.kind === 'output') output.push(Buffer.from(word.bytes.buffer));
          else if (word.kind === 'ask') {
            answer?.(word.question).then(
              (said) => !watch.signal.aborted && this.#send({ kind: 'answer', answer: said }),
              (error: unknown) => {
                // The job ends with an error that says nothing, so that the thread is free for the next one.
                feed.failure = { error };
                if (!watch.signal.aborted) this.#send({ kind: 'answer failed' });
              },
            );
          } else if (feed.failure) reject(feed.failure.error);
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
        this.#send({
          kind: 'start',
          module: job.module,
          name: job.name,
          options,
          hasAnswers: answer !== undefined,
        });
        output.begin(() => this.#send({ kind: 'take' }));
      });
    } finally {
      watch.abort();
      output.onTake = () => undefined;
      this.#onMessage = () => undefined;
      this.#onEnded = () => undefined;
      this.#worker.unref();
      // Not awaited: if this read hangs, the thread must still get its next job.
      input.return?.().catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    this.isAlive = false;
    await this.#worker.terminate();
  }

  #send(word: ToThread): void {
    this.#worker.postMessage(word, word.kind === 'bytes' ? [word.bytes.buffer as ArrayBuffer] : []);
  }

  /** Reads the thread's clock from here, because a busy thread answers no messages. */
  async #watchTime(cpuMsMax: number, signal: AbortSignal, onUsedUp: () => void): Promise<void> {
    const usedMs = () =>
      this.#worker.cpuUsage().then(
        ({ user, system }) => (user + system) / 1_000,
        () => 0,
      );
    const before = await usedMs();
    if (signal.aborted) return;
    // `usedMs` never rejects.
    const timer = setInterval(() => {
      void usedMs().then((used) => {
        if (used - before > cpuMsMax && !signal.aborted) onUsedUp();
      });
    }, cpuPollMs);
    signal.addEventListener('abort', () => clearInterval(timer));
  }
}

interface Feeder {
  sendNext(): void;
  /** Why the input cannot be read, or a question not be answered. The thread ends its job, so that it is free for the next one. */
  failure?: { readonly error: unknown };
}

/** Sends one piece of the input for each call, in order, until the job is over. */
function feeder(input: AsyncIterator<Buffer>, send: (word: ToThread) => void, over: AbortSignal): Feeder {
  let last: Promise<unknown> = Promise.resolve();
  let isRead = false;
  const sendPiece = async (): Promise<void> => {
    if (isRead || over.aborted) return;
    const word = await input.next().then(
      ({ value, done }): ToThread =>
        // A copy, because the thread takes the whole buffer, of which these bytes may be a part.
        done ? { kind: 'end' } : { kind: 'bytes', bytes: new Uint8Array(value) },
      (error: unknown): ToThread => {
        feed.failure = { error };
        return { kind: 'input failed' };
      },
    );
    isRead = word.kind !== 'bytes';
    if (!over.aborted) send(word);
  };
  const feed: Feeder = {
    sendNext: () => {
      last = last.then(sendPiece);
    },
  };
  return feed;
}

const isOutOfMemory = (error: NodeJS.ErrnoException): boolean => error.code === 'ERR_WORKER_OUT_OF_MEMORY';
