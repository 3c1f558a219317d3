import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Schedule } from '../realtime.ts';

/** A real WebSocket server on loopback; the test takes each connection and each message. */
export async function startLoopbackChannel() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const arrivals = queueOf<WebSocket>();
  server.on('connection', (socket) => arrivals.add(socket));

  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/realtime`,
    async nextConnection() {
      const socket = await arrivals.take();
      const messages = queueOf<unknown>();
      socket.on('message', (data) => messages.add(JSON.parse(String(data))));
      return {
        nextMessage: messages.take,
        say: (message: unknown) => socket.send(JSON.stringify(message)),
        close: (code?: number) => socket.close(code),
        closed: new Promise<void>((resolve) => socket.on('close', () => resolve())),
      };
    },
    stop() {
      for (const socket of server.clients) socket.terminate();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** First in, first out; `take` waits for the next item. */
export function queueOf<Item>() {
  const items: Item[] = [];
  const takers: ((item: Item) => void)[] = [];
  return {
    add(item: Item) {
      const taker = takers.shift();
      if (taker) taker(item);
      else items.push(item);
    },
    take: (): Promise<Item> => {
      const item = items.shift();
      return item === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(item);
    },
  };
}

/** A clock that runs scheduled tasks only when the test says so. */
export function startManualSchedule() {
  const pending = new Map<() => void, number>();
  const schedule: Schedule = (task, delayMs) => {
    const entry = () => task();
    pending.set(entry, delayMs);
    return () => pending.delete(entry);
  };
  return {
    schedule,
    delaysMs: () => [...pending.values()],
    runAll() {
      const due = [...pending.keys()];
      pending.clear();
      for (const task of due) task();
    },
  };
}
