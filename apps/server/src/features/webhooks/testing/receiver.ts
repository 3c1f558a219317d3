import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** Accepted requests, in the order of arrival. */
  readonly events: readonly ReceivedEvent[];
  /** Every request, also refused ones. */
  readonly attempts: number;
  /** Sets the answer from now on; accepts by default. */
  answer(respond: Respond): void;
  close(): Promise<void>;
}

type Respond = (response: ServerResponse, event: ReceivedEvent) => void;

/** A customer's receiver on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const events: ReceivedEvent[] = [];
  let attempts = 0;
  let respond: Respond = (response) => response.writeHead(204).end();
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    attempts += 1;
    const event = { headers: incoming.headers, body: Buffer.concat(chunks).toString('utf8') };
    respond(response, event);
    if (response.statusCode < 300 && response.headersSent) events.push(event);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    events,
    get attempts() {
      return attempts;
    },
    answer: (next) => {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
