// Reads files of customers, one at a time, where they can delay and harm no other work. See docs/decisions/reading-threads.md.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { AppError } from '../errors/index.ts';
import { lowerThreadPriority } from '../thread-priority.ts';
import type { FromThread, ToThread } from './messages.ts';
import type { JobFile, ReadJob } from './read-job.ts';

const parent = parentPort as MessagePort;
/** How many pieces of the file we request in advance, so that the job need not wait for each one. */
const piecesAhead = 4;

// People wait for their file, but others wait for the API.
lowerThreadPriority(10);

const send = (word: FromThread, transfer: ArrayBuffer[] = []) => parent.postMessage(word, transfer);

type Answer = Extract<ToThread, { kind: 'answer' | 'answer failed' }>;

/** The file of the job that runs. */
class IncomingFile implements JobFile {
  readonly #arrived: Extract<ToThread, { kind: 'bytes' | 'end' | 'input failed' }>[] = [];
  #takes = 0;
  #wake: () => void = () => undefined;
  readonly bytes = this.#read();
  #answered: ((word: Answer) => void) | undefined;

  receive(word: Exclude<ToThread, { kind: 'start' }>): void {
    if (word.kind === 'answer' || word.kind === 'answer failed') this.#answered?.(word);
    else if (word.kind === 'take') this.#takes += 1;
    else this.#arrived.push(word);
    this.#wake();
  }

  readonly write = async (bytes: Uint8Array): Promise<void> => {
    while (this.#takes === 0) await this.#news();
    this.#takes -= 1;
    const copy = new Uint8Array(bytes);
    send({ kind: 'output', bytes: copy }, [copy.buffer]);
  };

  readonly ask = async (question: unknown): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#answered = resolve;
    send({ kind: 'ask', question });
    const word = await promise;
    if (word.kind === 'answer failed') throw new Error('The question was not answered.');
    return word.answer;
  };

  async *#read(): AsyncGenerator<Buffer> {
    for (let asked = 0; asked < piecesAhead; asked++) send({ kind: 'more' });
    for (;;) {
      const word = this.#arrived.shift();
      if (!word) await this.#news();
      else if (word.kind === 'end') return;
      else if (word.kind === 'input failed') throw new Error('The file could not be read.');
      else {
        yield Buffer.from(word.bytes.buffer, word.bytes.byteOffset, word.bytes.byteLength);
        send({ kind: 'more' });
      }
    }
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

let file = new IncomingFile();
parent.on('message', (word: ToThread) => {
  if (word.kind !== 'start') return file.receive(word);
  file = new IncomingFile();
  void run(word, file);
});

async function run(
  { module, name, options, hasAnswers }: Extract<ToThread, { kind: 'start' }>,
  { bytes, write, ask }: IncomingFile,
): Promise<void> {
  try {
    const jobs = (await import(module)) as Record<string, ReadJob<unknown, unknown>>;
    const result = await (jobs[name] as ReadJob<unknown, unknown>).run(
      { bytes, write, ...(hasAnswers && { ask }) },
      options,
    );
    send({ kind: 'done', result });
  } catch (error) {
    if (!(error instanceof AppError)) send({ kind: 'failed', error });
    else {
      const { code, details, message: text, meta } = error;
      send({ kind: 'refused', refusal: { code, details, text, meta } });
    }
  }
}
