import { ApiError } from '@assay/client';

const FALLBACK_TEXT = 'An error occurred';

/** What the page says of a call that failed; `reason` is what the server said, where the text does not hold it. */
export class WarmUpFailure extends Error {
  override readonly name = 'WarmUpFailure';
  readonly reason: string | null;

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
    : new WarmUpFailure(messageOf(error) || FALLBACK_TEXT, { cause: error });
}

/** The answer's own words, or else the text. */
export function failureInWordsOf(error: unknown, otherwise: string): WarmUpFailure {
  if (error instanceof WarmUpFailure) return error;
  return new WarmUpFailure(messageOf(error) || otherwise, { cause: error });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
