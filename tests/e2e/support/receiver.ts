import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A customer's program that receives events, on loopback. */
export interface EventReceiver {
  readonly url: string;
  readonly events: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** Answers every later event with this status. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const events: { headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answered = status;
    if (answered < 300)
      events.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(answered).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/assay`,
    events,
    answerWith: (next) => {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
