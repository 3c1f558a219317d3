import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import type { TestApi } from './api.ts';

export interface RealtimeClient {
  readonly socket: WebSocket;
  say(message: unknown): void;
  /** The next message that was not taken yet. */
  next(): Promise<unknown>;
  /** The server's close code. */
  closed(): Promise<number>;
}

/** An open socket that has not sent its token. The first call makes the API listen on a port. */
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

/** An authenticated socket. */
export async function greetRealtime(api: TestApi, token: string): Promise<RealtimeClient> {
  const client = await openRealtime(api);
  client.say({ token });
  await client.next();
  return client;
}
