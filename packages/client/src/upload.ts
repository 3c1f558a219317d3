/** How much of a request has left this machine. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export type OnUploadProgress = (progress: UploadProgress) => void;

type Fetch = typeof globalThis.fetch;

/** What is used of a browser's XMLHttpRequest. The client runs outside of browsers too, and is compiled without their types. */
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
 * `fetch`, with word of how far the body is. No browser's `fetch` tells that, so the older interface is asked. Where it
 * does not exist, outside of browsers, the given `fetch` sends the body without a word.
 */
export function fetchTellingProgress(fetch: Fetch, onProgress: OnUploadProgress): Fetch {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => BrowserRequest };
  if (XMLHttpRequest === undefined) return fetch;
  return (url, init = {}) => send(new XMLHttpRequest(), String(url), init, onProgress);
}

/**
 * Answers and rejects as `fetch` would. One thing differs: cookies of the page's own origin travel along, whatever
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

/** A Response of these statuses cannot be made with a body, not even with an empty one. */
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
