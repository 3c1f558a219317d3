/** What a command reads from and writes to, handed in so that tests can hold both ends. */
export interface CliIo {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** What flags that are not given stand for. */
  readonly defaults?: CliDefaults;
}

interface CliDefaults {
  /** `host:port` of a name server. */
  dns?: string;
  smtpPort?: number;
  allowRanges?: string[];
}

/** The caller wrote something that cannot be; the text says what to write instead. */
export class UsageError extends Error {}

export const exitCodes = { ran: 0, failed: 1, misused: 2 } as const;

/** Runs a command and turns what went wrong into words and an exit code. */
export async function runReporting(
  io: CliIo,
  usage: string,
  command: () => Promise<number>,
): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (isBrokenPipe(error)) return exitCodes.ran;
    const isMisuse = error instanceof UsageError || error instanceof RangeError || isArgumentError(error);
    io.stderr.write(`${(error as Error).message}\n${isMisuse ? `\n${usage}\n` : ''}`);
    return isMisuse ? exitCodes.misused : exitCodes.failed;
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
const isArgumentError = (error: unknown): boolean => codeOf(error).startsWith('ERR_PARSE_ARGS');
/** Whoever read our output has seen enough, as `head` does. */
const isBrokenPipe = (error: unknown): boolean => codeOf(error) === 'EPIPE';

// Too short for a person to notice, long enough for a fast run to write in large pieces.
const flushAfterMs = 15;

/** Collects small pieces of text and writes them in large ones, waiting when the reader is slow. */
export class TextSink {
  readonly #stream: NodeJS.WritableStream;
  #text = '';
  #failure: Error | undefined;
  #flushTimer: NodeJS.Timeout | undefined;
  readonly #onError = (error: Error): void => {
    this.#failure = error;
  };

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    stream.on('error', this.#onError);
  }

  /** A promise when the reader must be waited for. */
  write(text: string): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    this.#text += text;
    if (this.#text.length > 65_536) return this.#flush();
    this.#flushTimer ??= setTimeout(() => void this.#flush(), flushAfterMs);
    return undefined;
  }

  #flush(): Promise<void> | undefined {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    const text = this.#text;
    this.#text = '';
    if (text === '' || this.#stream.write(text)) return undefined;
    return new Promise((resolve) => {
      const done = () => {
        this.#stream.removeListener('drain', done);
        this.#stream.removeListener('error', done);
        this.#stream.removeListener('close', done);
        resolve();
      };
      this.#stream.once('drain', done).once('error', done).once('close', done);
    });
  }

  /** Everything written has been handed on. */
  async end(): Promise<void> {
    await this.#flush();
    await new Promise<void>((resolve) => this.#stream.write('', () => resolve()));
    this.#stream.removeListener('error', this.#onError);
    if (this.#failure !== undefined) throw this.#failure;
  }
}
