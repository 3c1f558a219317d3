import { type ErrorCode, errorTable } from './error-table.ts';

export interface AppErrorOptions {
  /** Sent to the caller beside code and text, such as `{ field: 'name' }`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Replaces the table's text where the case can say more exactly what to change. */
  readonly text?: string;
  readonly cause?: unknown;
}

/**
 * What the caller got wrong, by a stable code. `details` are for the log and must hold ids and numbers only, never
 * addresses, names or secrets.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    details: Readonly<Record<string, unknown>> = {},
    options: AppErrorOptions = {},
  ) {
    super(options.text ?? errorTable[code].text, { cause: options.cause });
    this.code = code;
    this.details = details;
    this.meta = options.meta ?? {};
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** Also sent as the `retry-after` header. */
  get retryAfterSeconds(): number | undefined {
    const seconds = this.meta.retry_after_seconds;
    return typeof seconds === 'number' ? seconds : undefined;
  }
}

/** The refusal of every limit, which tells when to come back. */
export const tooManyRequests = (retryAfterSeconds: number): AppError =>
  new AppError('too_many_requests', {}, { meta: { retry_after_seconds: retryAfterSeconds } });
