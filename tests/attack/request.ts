import type { Operation } from './operations.ts';

/** Who a request says it is from. */
export type Caller = 'bearer' | 'key' | 'nobody';

/** A request that HTTP allows, whatever is in it. */
export interface HttpRequest {
  readonly kind: 'http';
  /** What is odd about it, in words. */
  readonly what: string;
  /** The call of the contract that it reaches; null where it may reach none. */
  readonly operation: Operation | null;
  readonly caller: Caller;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Bytes that a program would have to go out of its way to send. */
export interface RawRequest {
  readonly kind: 'raw';
  readonly what: string;
  readonly caller: Caller;
  /** `{authorization}` in the head is replaced by the caller's own. */
  readonly bytes: Buffer;
  /** `nothing` where the request never ends, `handshake` where a WebSocket is asked for: that is no call. */
  readonly expects: 'answer' | 'handshake' | 'nothing';
}

export type AttackRequest = HttpRequest | RawRequest;

const textMax = 600;

/** A request as it is told to whoever must find out what went wrong. */
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
