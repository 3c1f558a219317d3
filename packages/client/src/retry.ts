import type { RouteContract } from '@assay/contract';
import { type ApiError, ServiceUnavailableError } from './errors.ts';

export interface RetryOptions {
  /** How often a call is repeated that failed for a passing reason; 2 unless given. */
  readonly retries?: number;
  /** Waits; rejects with the signal's reason when that aborts. Only tests give it. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const defaultRetries = 2;
const firstWaitMs = 500;
/** All waits of one call together. A caller that is asked to wait longer gets the refusal, and decides. */
const longestWaitMs = 60_000;
const gatewayStatuses: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

export const retriesOf = ({ retries = defaultRetries }: RetryOptions): number => retries;

/** Whether doing it twice is the same as doing it once. */
export const isRepeatable = (route: RouteContract, idempotencyKey: string | undefined): boolean =>
  route.method === 'GET' ||
  route.method === 'PUT' ||
  route.method === 'DELETE' ||
  route.isRepeatable === true ||
  (route.takesIdempotencyKey === true && idempotencyKey !== undefined);

/** Doubles, and is spread, so that many that failed together do not come back together. */
export const backOffMs = (attempt: number): number => firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2);

export const isUnreachable = (error: ApiError): boolean =>
  error instanceof ServiceUnavailableError && error.http_status === undefined;

/** The server refused before it began, and says when to come back: the call may be repeated whatever it does. */
const isPutOff = ({ http_status: status, retry_after_ms }: ApiError): boolean =>
  status === 429 || (status === 503 && retry_after_ms !== undefined);

/** The server, or a proxy before it, gave no answer of its own: the call may have been done or not. */
export const isOutcomeUnknown = (error: ApiError): boolean =>
  isUnreachable(error) || (gatewayStatuses.has(error.http_status) && !isPutOff(error));

interface FailedAttempt {
  /** How many attempts failed before this one. */
  readonly attempt: number;
  /** Repeating the call cannot do it twice. */
  readonly isSafe: boolean;
  /** How long this call has waited between its attempts. */
  readonly waitedMs: number;
}

/** How long to wait before the call is repeated; null when it is not to be. */
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
