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
/** Whoever asks for more is not waited for: the caller is told, and decides. */
const longestWaitMs = 60_000;

export const retriesOf = ({ retries = defaultRetries }: RetryOptions): number => retries;

/** Whether doing it twice is the same as doing it once. */
export const isRepeatable = (route: RouteContract, idempotencyKey: string | undefined): boolean =>
  route.method === 'GET' ||
  route.method === 'PUT' ||
  route.method === 'DELETE' ||
  (route.takesIdempotencyKey === true && idempotencyKey !== undefined);

/** How long to wait before the call is repeated; null when it is not to be. */
export function waitBeforeRetry(
  error: ApiError,
  { attempt, isSafe }: { attempt: number; isSafe: boolean },
): number | null {
  const { http_status: status } = error;
  const isLimit = status === 429;
  const isPassing = status === 502 || status === 503 || status === 504;
  const isUnreachable = error instanceof ServiceUnavailableError && status === undefined;
  // What was refused by a limit was not begun, so it may be repeated whatever it is.
  if (!isLimit && !(isSafe && (isPassing || isUnreachable))) return null;

  // Spread, so that many that failed together do not come back together.
  const ownWaitMs = firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2);
  const waitMs = Math.max(ownWaitMs, error.retry_after_ms ?? 0);
  return waitMs > longestWaitMs ? null : waitMs;
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
