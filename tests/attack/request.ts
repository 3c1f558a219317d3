import type { Operation } from './operations.ts';

/** The credentials of a request. */
export type Caller = 'bearer' | 'key' | 'nobody';

/** A valid HTTP request with any content. */
export interface HttpRequest {
  readonly kind: 'http';
  /** A description of what is odd. */
  readonly what: string;
  /** The call of the contract that it reaches; null if it may reach none. */
  readonly operation: Operation | null;
  readonly caller: Caller;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Bytes that are not valid HTTP. */
export interface RawRequest {
  readonly kind: 'raw';
  readonly what: string;
  readonly caller: Caller;
  /** `{authorization}` in the head is replaced by the caller's. */
  readonly bytes: Buffer;
  /** `nothing` if the request never ends, `handshake` for a WebSocket. */
  readonly expects: 'answer' | 'handshake' | 'nothing';
}

export type AttackRequest = HttpRequest | RawRequest;

const textMax = 600;

/** A request as text, for the report of a fault. */
export function describeRequest(request: AttackRequest): string {
  if (request.kind === 'raw')
    return `${request.what}: ${shorten(JSON.stringify(request.bytes.toString('latin1', 0, 2 * textMax)))}`;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${shorten(value)}`);
  const body = request.body
    ? ` with ${request.body.length} bytes ${shorten(JSON.stringify(request.body.toString('latin1', 0, 2 * textMax)))}`
    : '';
  const call = request.operation ? `${request.operation.name}, ` : '';
  return `${call}${request.what}: ${request.method} ${shorten(request.path)} as ${request.caller} {${headers.join('; ')}}${body}`;
}

const shorten = (text: string): string =>
  text.length <= textMax ? text : `${text.slice(0, textMax)}… (${text.length} characters)`;
