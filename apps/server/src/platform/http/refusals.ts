import type { ErrorAnswer } from '@assay/contract';
import { isDatabaseAway } from '../database/database-away.ts';
import { AppError, type ErrorCode } from '../errors/index.ts';
import { isDiskFull } from '../files/disk-full.ts';

/** Fastify's and its plugins' own refusals, by the code they carry. */
const codeOfFrameworkError: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'route_not_found',
};

/** For refusals whose code we do not know, their status still says whose fault it is. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  404: 'route_not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  503: 'service_unavailable',
};

/** What the caller may know of an error: a refusal of ours, a refusal of the framework, or that something broke. */
export function refusalFor(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) return comeBack('database_unavailable', 5, error);
  if (isDiskFull(error)) return comeBack('storage_full', 60, error);

  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  const known = codeOfFrameworkError[String(code)] ?? codeOfStatus[Number(statusCode)];
  if (known) return new AppError(known, {}, { cause: error });
  const isCallersFault = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
  return new AppError(isCallersFault ? 'bad_request' : 'internal_error', {}, { cause: error });
}

const comeBack = (code: ErrorCode, seconds: number, cause: unknown): AppError =>
  new AppError(code, {}, { cause, meta: { retry_after_seconds: seconds } });

/** Fields of answers are in snake_case. Here, so that no refusal forgets it. */
const withWireNames = (meta: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(meta).map(([name, value]) => [wireName(name), value]));
const wireName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function answerOf(refusal: AppError, traceId: string): ErrorAnswer {
  return {
    errors: [
      {
        code: refusal.code,
        message: refusal.message,
        http_status: refusal.status,
        trace_id: traceId,
        meta: withWireNames(refusal.meta),
      },
    ],
  };
}
