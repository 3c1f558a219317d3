import fs from 'node:fs';
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import { boundedLine } from './bounded-for-log.ts';
import { describeError } from './describe-error.ts';

export type { Logger };

export interface LoggerOptions {
  readonly level: string;
  /** Which process speaks: api, worker … */
  readonly process: string;
  /** Standard output unless a test listens. */
  readonly destination?: DestinationStream;
}

/**
 * One JSON object per line. Lines hold ids, codes and numbers and nothing that tells who a person is: requests are
 * logged by their route, never by their address, errors pass through `describeError` and all else through `boundedLine`.
 */
export function createLogger({ level, process: name, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { process: name, instance: `${hostname()}:${process.pid}` },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: boundedLine },
      serializers: { err: describeError, error: describeError, req: () => undefined, res: () => undefined },
    },
    destination ?? sharedStandardOutput(),
  );
}

/** Writes lines that still wait. Before a process ends, so that its exit finds nothing left that cannot be written. */
export const flushLog = (logger: Logger): Promise<void> =>
  new Promise((resolve) => logger.flush(() => resolve()));

/** Lines beyond are lost while nothing can be written. */
const bytesWaitingMax = 16_000_000;

let standardOutput: DestinationStream | undefined;

/** One for all loggers of a process, because each has a timer that writes ten times a second. */
function sharedStandardOutput(): DestinationStream {
  standardOutput ??= openStandardOutput();
  return standardOutput;
}

/** A reader that is gone or a full disk costs lines, but must neither end the process nor keep it from ending. */
function openStandardOutput(): DestinationStream {
  const stdout = pino.destination({
    dest: 1,
    // Several lines are written at once: a call of the system for each would be 5% of what a request costs.
    sync: false,
    minLength: 4_096,
    periodicFlush: 100,
    maxLength: bytesWaitingMax,
  });
  const flushSync = stdout.flushSync.bind(stdout);
  // Without a listener, a write that fails would end the process.
  stdout.on('error', () => undefined);
  stdout.flushSync = () => droppingFailedWrites(flushSync);
  return stdout;
}

/** About two seconds, for a reader that is slow. */
const busyTriesMax = 20;

/**
 * The library repeats a synchronous write that fails for ever. It makes one for each line of level fatal and when the process exits, so a
 * process whose reader is gone would never end. Here such a write counts as done.
 */
function droppingFailedWrites(flushSync: () => void): void {
  const { writeSync } = fs;
  let busyTries = 0;
  const writeOrDrop = (fd: number, text: string | NodeJS.ArrayBufferView): number => {
    try {
      return writeSync(fd, text as string);
    } catch (error) {
      busyTries += 1;
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN' && busyTries < busyTriesMax) throw error;
      return Buffer.byteLength(text as string);
    }
  };
  fs.writeSync = writeOrDrop as typeof fs.writeSync;
  try {
    flushSync();
  } finally {
    fs.writeSync = writeSync;
  }
}
