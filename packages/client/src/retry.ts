import type { SentRoute } from '@assay/contract';
import { type ApiError, ServiceUnavailableError } from './errors.ts';

export interface RetryOptions {
  /** How often to repeat a call after a temporary failure; 2 by default. */
  readonly retries?: number;
  /** Waits; rejects with the signal's reason if it aborts. For tests. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const defaultRetries = 2;
const firstWaitMs = 500;
/** All waits of one call together. If the server asks for more, the call rejects and the caller decides. */
const longestWaitMs = 60_000;
const gatewayStatuses: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

export const retriesOf = ({ retries = defaultRetries }: RetryOptions): number => retries;

/** Whether a repetition has no further effect. */
export const isRepeatable = (route: SentRoute, idempotencyKey: string | undefined): boolean =>
  route.method === 'GET' ||
  route.method === 'PUT' ||
  route.method === 'DELETE' ||
  route.isRepeatable === true ||
  (route.takesIdempotencyKey === true && idempotencyKey !== undefined);

/** Doubles, with jitter, so that calls that failed together do not repeat together. */
export const backOffMs = (attempt: number): number => firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2);

export const isUnreachable = (error: ApiError): boolean =>
  error instanceof ServiceUnavailableError && error.http_status === undefined;

/** The server refused before it did anything and said when to retry: any call may be repeated. */
const isPutOff = ({ http_status: status, retry_after_ms }: ApiError): boolean =>
  status === 429 || (status === 503 && retry_after_ms !== undefined);

/** No answer of the server itself: it may have acted on the call or not. */
export const isOutcomeUnknown = (error: ApiError): boolean =>
  isUnreachable(error) || (gatewayStatuses.has(error.http_status) && !isPutOff(error));

interface FailedAttempt {
  /** How many attempts failed before this one. */
  readonly attempt: number;
  /** Repeating the call has no further effect. */
  readonly isSafe: boolean;
  /** Total wait between the attempts of this call. */
  readonly waitedMs: number;
}

/** The wait before the next attempt; null for no further attempt. */
export function waitBeforeRetry(
  error: ApiError,
  { attempt, isSafe, waitedMs }: FailedAttempt,
): number | null {
  if (!isPutOff(error) && !(isSafe && isOutcomeUnknown(error))) return null;

  const waitMs = Math.max(backOffMs(attempt), error.retry_after_ms ?? 0);
  return waitedMs + waitMs > longestWaitMs ? null : waitMs;
}

export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
