import { AppError } from '../errors/index.ts';

const timeoutMs = 10_000;

export interface AdminCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly token?: string;
  /** A form travels as a form, anything else as JSON. */
  readonly body?: URLSearchParams | object;
}

export interface AdminAnswer {
  readonly status: number;
  /** Empty when the answer had no JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The objects of an answer that is a list. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** Asks the provider. What it refuses is for the caller to judge; that it cannot be asked is an error here. */
export async function callAdmin({ method, url, token, body }: AdminCall): Promise<AdminAnswer> {
  try {
    const answer = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && !(body instanceof URLSearchParams) && { 'content-type': 'application/json' }),
      },
      ...(body && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
      // A redirect could lead our credentials elsewhere.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();
    const value = parseJson(text);
    return {
      status: answer.status,
      body: isObject(value) ? value : {},
      items: Array.isArray(value) ? value.filter(isObject) : [],
    };
  } catch (cause) {
    throw new AppError('service_unavailable', { part: 'identity' }, { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** For an answer that no caller can do anything about: wrong credentials of ours, a broken provider. */
export const unexpectedAnswer = (call: string, { status }: AdminAnswer): AppError =>
  new AppError('service_unavailable', { part: 'identity', call, status });

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
