import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import type { TestApi } from './api.ts';

export interface RealtimeClient {
  readonly socket: WebSocket;
  say(message: unknown): void;
  /** The next message that was not yet taken, however long ago it came. */
  next(): Promise<unknown>;
  /** The code that the server closed with. */
  closed(): Promise<number>;
}

/** A socket to the API's channel, opened and not yet greeted. The API listens on a port of its own from the first one on. */
export async function openRealtime(
  api: TestApi,
  headers: Record<string, string> = {},
): Promise<RealtimeClient> {
  if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/realtime`, { headers });
  const received: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  let closeCode: number | undefined;
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString());
    const taker = waiting.shift();
    if (taker) taker(message);
    else received.push(message);
  });
  socket.on('close', (code) => {
    closeCode = code;
  });
  await once(socket, 'open');

  return {
    socket,
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: () =>
      received.length > 0
        ? Promise.resolve(received.shift())
        : new Promise((resolve) => waiting.push(resolve)),
    closed: async () => closeCode ?? ((await once(socket, 'close'))[0] as number),
  };
}

/** A socket that has said its token and been told that events arrive. */
export async function greetRealtime(api: TestApi, token: string): Promise<RealtimeClient> {
  const client = await openRealtime(api);
  client.say({ token });
  await client.next();
  return client;
}
