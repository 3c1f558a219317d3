import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const bodyMaxBytes = 1024 * 1024;
const limits = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };
const connectionsMax = 512;

export interface WebRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | undefined>;
  body: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** One request in, one answer out, or none at all when the connection is to be cut. */
export type Respond = (request: WebRequest) => Promise<Answer | 'cut'>;

export interface RunningServer {
  port: number;
  close(): Promise<void>;
}

export async function listen(options: {
  host: string;
  port: number;
  respond: Respond;
}): Promise<RunningServer> {
  const server = createServer(limits, (incoming, outgoing) => {
    serve(incoming, outgoing, options.respond).catch(() => outgoing.destroy());
  });
  server.maxConnections = connectionsMax;
  await new Promise<void>((resolve, reject) => {
    // It stays: later it hears of connections that could not be accepted, which end nothing else.
    server.on('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, respond: Respond): Promise<void> {
  const body = await readBody(incoming);
  if (body === undefined) {
    outgoing.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const target = incoming.url ?? '/';
  const queryStart = target.indexOf('?');
  const answer = await respond({
    method: incoming.method ?? 'GET',
    path: queryStart < 0 ? target : target.slice(0, queryStart),
    query: queryStart < 0 ? '' : target.slice(queryStart + 1),
    headers: incoming.headers as Record<string, string | undefined>,
    body,
  });
  if (answer === 'cut') {
    outgoing.destroy();
    return;
  }
  const isHead = incoming.method === 'HEAD';
  outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) });
  outgoing.end(isHead ? undefined : answer.body);
}

/** The body as text, or undefined when it is larger than any call needs. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyMaxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
