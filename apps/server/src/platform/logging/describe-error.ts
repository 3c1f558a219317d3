import { TEXT_LENGTH_MAX } from '../text-limits.ts';
import { shortenAndBlank } from './blank-personal-data.ts';
import { boundedForLog } from './bounded-for-log.ts';

const causeDepthMax = 4;

export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly details?: unknown;
  readonly cause?: DescribedError;
}

/**
 * An error as the log may hold it. Libraries put whatever they choked on into their messages, and PostgreSQL puts whole
 * rows into `detail`, so only named parts are kept and what looks like an address or a token is blanked.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: messageFor(wordsOf(error)) };

  const { code, details } = error as Error & { code?: unknown; details?: unknown };
  const frames = framesOf(error);
  return {
    type: error.name,
    message: messageFor(error.message),
    ...(typeof code === 'string' && { code }),
    ...(frames && { stack: shortenAndBlank(frames, TEXT_LENGTH_MAX.stack) }),
    // Only our own errors carry details, and those hold ids and numbers.
    ...(error.name === 'AppError' && details !== undefined && { details: boundedForLog(details) }),
    ...(error.cause !== undefined &&
      depth < causeDepthMax && { cause: describeError(error.cause, depth + 1) }),
  };
}

const messageFor = (message: string): string => shortenAndBlank(message, TEXT_LENGTH_MAX.errorMessage);

/** The stack without the message before it, which may be long enough to leave no room for the frames. */
function framesOf({ stack = '' }: Error): string {
  const start = stack.indexOf('\n    at ');
  return start < 0 ? '' : stack.slice(start + 1);
}

/** Some libraries tell of errors by plain objects that carry a message. */
function wordsOf(thrown: unknown): string {
  const message = (thrown as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : String(thrown);
}
