import { ApiError, UnknownError } from '@assay/client';

const FALLBACK_TEXT = 'An error occurred';

/** What the page says of a call that failed; `reason` is what the server said, where the text does not hold it. */
export class WarmUpFailure extends Error {
  override readonly name = 'WarmUpFailure';
  readonly reason: string | null;
  /** On a monotonic clock, to tell which of two failures is the later one. */
  readonly failedAtMs = performance.now();

  constructor(text: string, options: { reason?: string | null; cause?: unknown } = {}) {
    super(text, { cause: options.cause });
    this.reason = options.reason ?? null;
  }
}

/** The text of a call's own for an answer that refuses; what kept an answer from coming speaks for itself. */
export function failureNamed(text: string, error: unknown): WarmUpFailure {
  if (error instanceof WarmUpFailure) return error;
  const isAnswered = error instanceof ApiError && error.http_status !== undefined;
  return isAnswered
    ? new WarmUpFailure(text, { reason: error.message || null, cause: error })
    : failureInWordsOf(error, FALLBACK_TEXT);
}

/** The answer's message, or else the given text. An unexpected failure's message is only its reason. */
export function failureInWordsOf(error: unknown, otherwise: string): WarmUpFailure {
  if (error instanceof WarmUpFailure) return error;
  const words = error instanceof Error ? error.message : '';
  return error instanceof UnknownError
    ? new WarmUpFailure(otherwise, { reason: words || null, cause: error })
    : new WarmUpFailure(words || otherwise, { cause: error });
}

/** Of what failed on a page, what failed last; null when nothing did. */
export function lastFailureOf(errors: readonly (Error | null)[]): WarmUpFailure | null {
  const failures = errors
    .filter((error) => error !== null)
    .map((error) => failureInWordsOf(error, FALLBACK_TEXT));
  return failures.toSorted((left, right) => right.failedAtMs - left.failedAtMs)[0] ?? null;
}
