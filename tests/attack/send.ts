import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { HttpRequest, RawRequest } from './request.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Target {
  readonly host: string;
  readonly port: number;
  /** The network address that calls come from; the product counts calls by it. */
  readonly localAddress?: string;
}

/** Longer than any call may wait for a verdict. */
const longestWaitMs = 60_000;
const agent = new Agent({ keepAlive: true });

/** Null if no answer came in time, or if the connection closed without one. */
export function sendHttp(
  target: Target,
  request: Pick<HttpRequest, 'method' | 'path' | 'headers' | 'body'>,
  patienceMs = longestWaitMs,
): Promise<Answer | null> {
  const { promise, resolve } = Promise.withResolvers<Answer | null>();
  const outgoing = httpRequest(
    {
      ...target,
      agent,
      method: request.method,
      path: request.path,
      headers: { ...request.headers, 'content-length': String(request.body?.length ?? 0) },
      signal: AbortSignal.timeout(patienceMs),
    },
    (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', () => resolve(null));
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    },
  );
  outgoing.on('error', () => resolve(null));
  outgoing.end(request.body);
  return promise;
}

/**
 * Sends bytes and returns everything until the server closes, which may be several answers. We close only if we expect no
 * answer, because a server may treat that as an aborted request.
 */
export async function sendRaw(
  target: Target,
  { bytes, expects }: Pick<RawRequest, 'bytes' | 'expects'>,
): Promise<Answer[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const chunks: Buffer[] = [];
  const socket = connect(target, () => (expects === 'nothing' ? socket.end(bytes) : socket.write(bytes)));
  socket.setTimeout(longestWaitMs, () => socket.destroy());
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => resolve());
  socket.on('close', () => resolve());
  await promise;
  return parseAnswers(Buffer.concat(chunks).toString('latin1'));
}

/** Parses the HTTP that our server sends with `connection: close`. */
function parseAnswers(text: string): Answer[] {
  const answers: Answer[] = [];
  for (const piece of text.split(/(?=HTTP\/1\.1 \d{3} )/).filter(Boolean)) {
    const [head = '', ...rest] = piece.split('\r\n\r\n');
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.split(':', 1)[0]?.toLowerCase() ?? '',
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    answers.push({
      status: Number(statusLine.split(' ')[1] ?? 0),
      headers,
      body: Buffer.from(rest.join('\r\n\r\n'), 'latin1'),
    });
  }
  return answers;
}
