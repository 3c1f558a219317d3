import { API_KEY_PREFIX, WEBHOOK_SECRET_PREFIX } from '@assay/contract';

const causeDepthMax = 4;

const keyShape = new RegExp(`(?:${API_KEY_PREFIX}|${WEBHOOK_SECRET_PREFIX})[\\w+/=-]+`, 'g');

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
  if (!(error instanceof Error)) return { type: typeof error, message: blankPersonalData(wordsOf(error)) };

  const { code, details } = error as Error & { code?: unknown; details?: unknown };
  return {
    type: error.name,
    message: blankPersonalData(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack && { stack: blankPersonalData(error.stack) }),
    // Only our own errors carry details, and those hold ids and numbers.
    ...(error.name === 'AppError' && details !== undefined && { details }),
    ...(error.cause !== undefined &&
      depth < causeDepthMax && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** Some libraries tell of errors by plain objects that carry a message. */
function wordsOf(thrown: unknown): string {
  const message = (thrown as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : String(thrown);
}

/** Addresses, JSON web tokens, API keys, signing secrets, bearer headers and passwords in connection strings. */
export function blankPersonalData(text: string): string {
  return text
    .replace(keyShape, '[key]')
    .replace(/eyJ[\w-]+\.[\w-]*\.?[\w-]*/g, '[token]')
    .replace(/\bBearer\s+[^\s,;'"]+/gi, 'Bearer [token]')
    .replace(/(\w+:\/\/[^\s:/@]+):[^\s@/]+@/g, '$1:[password]@')
    .replace(/[^\s@<>"'`(),;:=[\]]+@[^\s@<>"'`(),;:=[\]]+\.[^\s@<>"'`(),;:=[\]]+/g, '[address]');
}
