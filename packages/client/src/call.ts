import type { SentRoute } from '@assay/contract';
import {
  type ApiError,
  BadRequestError,
  errorFromAnswer,
  ServiceUnavailableError,
  UnknownError,
} from './errors.ts';
import { type Connection, Patience } from './patience.ts';
import { type QueryRecord, requestUrl } from './request-url.ts';
import {
  isOutcomeUnknown,
  isRepeatable,
  isUnreachable,
  type RetryOptions,
  retriesOf,
  wait,
  waitBeforeRetry,
} from './retry.ts';
import { fetchTellingProgress, type OnUploadProgress } from './upload.ts';

export interface ClientOptions extends RetryOptions {
  /** The URL of the API, such as `https://assay.example/api`; a path of the page's own origin in a browser. */
  readonly baseUrl: string;
  /** Sent as `x-api-key`: a customer's own key, or the public key that names the web app. */
  readonly apiKey?: string;
  /** The signed-in person's access token; a program with its own key passes none. */
  readonly getToken?: () => Promise<string | undefined> | string | undefined;
  /** Called once when the server refuses a token; a new token leads to one more attempt. */
  readonly renewToken?: (refused: string) => Promise<string | undefined>;
  /** Called when a call stays unauthorized. */
  readonly onUnauthorized?: () => void;
  /** Maps the error that a call rejects with. */
  readonly mapError?: (error: ApiError, route: SentRoute) => ApiError;
  /** For a page that stays open while its connection drops and returns: calls wait for it. */
  readonly connection?: Connection;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Calls with the same key have an effect only once. */
  readonly idempotencyKey?: string;
  /** Called in browsers as the body is sent; starts again if the call is repeated. */
  readonly onUploadProgress?: OnUploadProgress;
}

/** A call's input without its types. */
export interface UntypedInput extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: QueryRecord;
  readonly body?: unknown;
}

export async function performCall(
  route: SentRoute,
  input: UntypedInput,
  options: ClientOptions,
): Promise<unknown> {
  try {
    return await callWithRetries(route, withKey(route, input, options), options);
  } catch (error) {
    if (input.signal?.aborted) throw input.signal.reason;
    const apiError = asApiError(error);
    throw options.mapError?.(apiError, route) ?? apiError;
  }
}

/** A call that costs credits may be repeated only with the same key, so it gets one. */
function withKey(route: SentRoute, input: UntypedInput, options: ClientOptions): UntypedInput {
  if (!route.takesIdempotencyKey || input.idempotencyKey !== undefined || retriesOf(options) === 0)
    return input;
  return { ...input, idempotencyKey: crypto.randomUUID() };
}

async function callWithRetries(
  route: SentRoute,
  input: UntypedInput,
  options: ClientOptions,
): Promise<unknown> {
  const isSafe = isRepeatable(route, input.idempotencyKey);
  const costsCredits = input.idempotencyKey !== undefined;
  const patience = options.connection && new Patience(options.connection, input.signal, costsCredits);
  let unreachedCount = 0;
  let refusedCount = 0;
  let waitedMs = 0;
  let mayBeDone = false;

  /** Null when the call has failed for good. */
  const waitAfter = (error: ApiError, mayRepeat: boolean): number | null => {
    if (patience && isUnreachable(error)) return mayRepeat ? patience.pauseMs(unreachedCount++) : null;
    if (refusedCount >= retriesOf(options)) return null;
    const waitMs = waitBeforeRetry(error, { attempt: refusedCount++, isSafe: mayRepeat, waitedMs });
    waitedMs += waitMs ?? 0;
    return waitMs;
  };

  try {
    for (;;) {
      await patience?.untilOnline();
      const progress: SendProgress = { mayHaveArrived: false };
      try {
        const attempt = (limits: Partial<CallOptions>) =>
          sendAndRead(route, { ...input, ...limits }, options, progress);
        return await (patience ? patience.attempt(attempt, input.onUploadProgress) : attempt({}));
      } catch (error) {
        if (input.signal?.aborted) throw error;
        const apiError = asApiError(error);
        // An earlier attempt deleted it, and its answer was lost.
        if (mayBeDone && route.method === 'DELETE' && apiError.http_status === 404) return null;
        mayBeDone ||= progress.mayHaveArrived && isOutcomeUnknown(apiError);
        const waitMs = waitAfter(apiError, isSafe || !progress.mayHaveArrived);
        if (waitMs === null) throw error;
        patience?.beginWaiting(isUnreachable(apiError) ? 'unreachable' : 'busy');
        await (options.wait ?? wait)(waitMs, input.signal);
      }
    }
  } finally {
    patience?.endWaiting();
  }
}

const asApiError = (error: unknown): ApiError =>
  isApiError(error) ? error : new UnknownError({ message: textOf(error), cause: error });

interface SendProgress {
  /** The server may have received the call and acted on it. */
  mayHaveArrived: boolean;
}

async function sendAndRead(
  route: SentRoute,
  input: UntypedInput,
  options: ClientOptions,
  progress: SendProgress,
): Promise<unknown> {
  const token = route.auth === 'public' ? undefined : await options.getToken?.();
  progress.mayHaveArrived = true;
  const response = await send(route, input, options, token);
  if (response.status !== 401) return readAnswer(response);

  if (token === undefined || options.renewToken === undefined) {
    options.onUnauthorized?.();
    return readAnswer(response);
  }

  progress.mayHaveArrived = false;
  const renewed = await options.renewToken(token);
  if (renewed === undefined) return readAnswer(response);

  await response.body?.cancel();
  progress.mayHaveArrived = true;
  const secondResponse = await send(route, input, options, renewed);
  if (secondResponse.status === 401) options.onUnauthorized?.();
  return readAnswer(secondResponse);
}

async function send(
  route: SentRoute,
  input: UntypedInput,
  options: ClientOptions,
  token: string | undefined,
): Promise<Response> {
  const url = requestUrl(options.baseUrl, route.path, input);
  const headers = new Headers({ accept: 'application/json' });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (options.apiKey !== undefined) headers.set('x-api-key', options.apiKey);
  if (input.idempotencyKey !== undefined) headers.set('idempotency-key', input.idempotencyKey);

  const init: RequestInit = { method: route.method, headers, credentials: 'omit' };
  if (input.signal) init.signal = input.signal;
  if (input.body !== undefined && route.multipart) {
    init.body = input.body instanceof FormData ? input.body : formOf(input.body);
  } else if (input.body !== undefined && route.isForm) {
    init.body = new URLSearchParams(input.body as Record<string, string>);
  } else if (input.body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(input.body);
  }

  const plainFetch = options.fetch ?? globalThis.fetch;
  const { onUploadProgress } = input;
  const fetch = onUploadProgress ? fetchTellingProgress(plainFetch, onUploadProgress) : plainFetch;
  try {
    return await fetch(url, init);
  } catch (error) {
    return throwUnreachable(error);
  }
}

function formOf(parts: unknown): FormData {
  if (typeof parts !== 'object' || parts === null) {
    throw new BadRequestError({ message: 'An upload is a form: pass its parts by name' });
  }
  const form = new FormData();
  const named = Object.entries(parts);
  // Files come last, because the server reads them while they arrive and must know the other parts by then.
  for (const [name, value] of named)
    if (!(value instanceof Blob) && value !== undefined && value !== null) form.append(name, String(value));
  for (const [name, value] of named) if (value instanceof Blob) form.append(name, value);
  return form;
}

function throwUnreachable(cause: unknown): never {
  throw new ServiceUnavailableError({ message: 'The server could not be reached', cause });
}

async function readAnswer(response: Response): Promise<unknown> {
  // The connection may also break in the middle of an answer.
  const text = await response.text().catch(throwUnreachable);
  if (!response.ok) throw errorFromAnswer(response.status, refusalIn(response, text), response.headers);
  if (text === '') return null;
  const answer = parseOrNothing(text);
  if (answer === undefined) throw new UnknownError({ message: 'The answer could not be read' });
  return answer;
}

/** A plain-text refusal is the message. */
function refusalIn({ headers }: Response, text: string): unknown {
  const isPlainText = headers.get('content-type')?.startsWith('text/plain') ?? false;
  return parseOrNothing(text) ?? (isPlainText ? { error: text.trim() } : undefined);
}

/** A proxy may answer with HTML. */
function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isApiError = (error: unknown): error is ApiError => error instanceof Error && 'http_status' in error;
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
