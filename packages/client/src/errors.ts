import type { ErrorObject } from '@assay/contract';
import { readRetryAfter } from './retry-after.ts';

type ErrorDetails = Partial<Omit<ErrorObject, 'code'>> & {
  code?: string | number;
  retry_after_ms?: number;
  cause?: unknown;
};

/** The error object of the API, as an exception. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The server's code if it sends one, else one code per class. */
  readonly code: string | number;
  /** Absent if no answer arrived. */
  readonly http_status: number | undefined;
  /** Identifies the log lines of this call; quote it to support. */
  readonly trace_id: string | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  /** The server's `Retry-After`, if it sent one. */
  readonly retry_after_ms: number | undefined;

  constructor(defaultCode: string | number, details: ErrorDetails = {}) {
    super(details.message ?? '', { cause: details.cause });
    this.code = details.code ?? defaultCode;
    this.http_status = details.http_status;
    this.trace_id = details.trace_id;
    this.meta = details.meta ?? {};
    this.retry_after_ms = details.retry_after_ms;
  }
}

/** The server failed (5xx). */
export class InternalServerError extends ApiError {
  override readonly name = 'InternalServerError';
  constructor(details?: ErrorDetails) {
    super('internal_server_error', details);
  }
}

/** Token or key missing, wrong or expired (401). */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
  constructor(details?: ErrorDetails) {
    super('unauthorized', details);
  }
}

/** Authenticated, but not allowed (403). */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
  constructor(details?: ErrorDetails) {
    super('forbidden', details);
  }
}

/** Does not exist, or belongs to another customer (404). */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
  constructor(details?: ErrorDetails) {
    super('not_found', details);
  }
}

/** The request is wrong (every other 4xx). */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
  constructor(details?: ErrorDetails) {
    super('bad_request', details);
  }
}

/** The server could not be reached: no answer at all. */
export class ServiceUnavailableError extends ApiError {
  override readonly name = 'ServiceUnavailableError';
  constructor(details?: ErrorDetails) {
    super('service_unavailable', details);
  }
}

/** The call failed in the client, or its answer was unreadable. */
export class UnknownError extends ApiError {
  override readonly name = 'UnknownError';
  constructor(details?: ErrorDetails) {
    super(0, details);
  }
}

/** A cancelled call is not a failure. `fetch` rejects with the signal's reason, by default an AbortError. */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Turns a refusal into the exception of its status. */
export function errorFromAnswer(status: number, body: unknown, headers?: Headers): ApiError {
  const said = readRefusal(body);
  const details: ErrorDetails = {
    ...said,
    http_status: status,
    trace_id: said.trace_id ?? headers?.get('x-trace-id') ?? undefined,
    retry_after_ms: readRetryAfter(headers?.get('retry-after')),
  };

  if (status >= 500) return new InternalServerError(details);
  if (status === 401) return new UnauthorizedError(details);
  if (status === 403) return new ForbiddenError(details);
  if (status === 404) return new NotFoundError(details);
  if (status >= 400) return new BadRequestError(details);
  return new UnknownError(details);
}

/** Our API sends an errors array; identity and mailbox providers send error and error_description. */
function readRefusal(body: unknown): ErrorDetails {
  if (!isRecord(body)) return {};

  const first: unknown = Array.isArray(body.errors) ? body.errors[0] : undefined;
  const entry = isRecord(first) ? first : {};
  return {
    message: textOf(body.error_description) ?? textOf(body.error) ?? textOf(entry.message),
    code: textOf(entry.code),
    trace_id: textOf(entry.trace_id),
    meta: isRecord(entry.meta) ? entry.meta : undefined,
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
