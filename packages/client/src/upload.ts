/** How much of a request has been sent. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export type OnUploadProgress = (progress: UploadProgress) => void;

type Fetch = typeof globalThis.fetch;

/** The part of XMLHttpRequest that we use. The client also runs outside of browsers and is compiled without their types. */
interface BrowserRequest {
  responseType: 'arraybuffer';
  readonly status: number;
  readonly response: ArrayBuffer;
  readonly upload: {
    addEventListener(type: 'progress', listener: (event: { loaded: number; total: number }) => void): void;
  };
  addEventListener(type: 'load' | 'abort' | 'error' | 'loadend', listener: () => void): void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: RequestInit['body']): void;
  abort(): void;
  getAllResponseHeaders(): string;
}

/**
 * `fetch` with upload progress. No browser's `fetch` reports that, so this uses XMLHttpRequest. Outside of
 * browsers, the given `fetch` sends the body without progress.
 */
export function fetchTellingProgress(fetch: Fetch, onProgress: OnUploadProgress): Fetch {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => BrowserRequest };
  if (XMLHttpRequest === undefined) return fetch;
  return (url, init = {}) => send(new XMLHttpRequest(), String(url), init, onProgress);
}

/**
 * Resolves and rejects like `fetch`, with one difference: it sends cookies of the page's origin, whatever
 * `credentials` says. The API reads none.
 */
function send(
  request: BrowserRequest,
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  onProgress: OnUploadProgress,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort);

    request.open(method, url);
    request.responseType = 'arraybuffer';
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress({ sentBytes: loaded, totalBytes: total }),
    );
    request.addEventListener('load', () => resolve(answerOf(request)));
    request.addEventListener('abort', () => reject(signal?.reason));
    request.addEventListener('error', () => reject(new TypeError(`${url} could not be reached`)));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    request.send(body);
  });
}

/** A Response with these statuses cannot have a body, not even an empty one. */
const bodilessStatuses = [204, 205, 304];

function answerOf(request: BrowserRequest): Response {
  const { status } = request;
  const body = bodilessStatuses.includes(status) ? null : request.response;
  return new Response(body, { status, headers: headersOf(request.getAllResponseHeaders()) });
}

function headersOf(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.split('\r\n')) {
    const end = line.indexOf(':');
    if (end > 0) headers.append(line.slice(0, end), line.slice(end + 1).trim());
  }
  return headers;
}
