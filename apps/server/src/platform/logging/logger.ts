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
export function createLogger({ level, process, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: boundedLine },
      serializers: { err: describeError, error: describeError, req: () => undefined, res: () => undefined },
    },
    // Several lines are written at once: a call of the system for each would be 5% of what a request costs.
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 100 }),
  );
}
