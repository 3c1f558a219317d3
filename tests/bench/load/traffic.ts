// Clients that send prepared requests: as fast as the answers come, or at a given rate whatever the answers do.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isWholeAnswer } from '../requests/load.ts';

/** A request, as its bytes. */
export interface Call {
  readonly name: string;
  readonly bytes: string;
}

export interface Answer {
  readonly name: string;
  /** 0 if the connection broke. */
  readonly status: number;
  /** From the moment when the request was due. */
  readonly ms: number;
  readonly hasRetryAfter: boolean;
}

export interface Traffic {
  readonly url: string;
  readonly connectionCount: number;
  readonly seconds: number;
  nextCall(): Call;
}

/** Keeps one request under way on each connection. */
export async function saturate(traffic: Traffic): Promise<Answer[]> {
  const connections = await openAll(traffic);
  const answers: Answer[] = [];
  const endsAt = performance.now() + traffic.seconds * 1_000;
  const keepBusy = async (connection: Connection) => {
    while (performance.now() < endsAt) {
      answers.push(await connection.send(traffic.nextCall(), performance.now()));
    }
  };
  await Promise.all(connections.map(keepBusy));
  for (const connection of connections) connection.close();
  return answers;
}

/** Sends this many requests per second. If all connections are busy, a request waits, and its wait counts. */
export async function offer(traffic: Traffic, perSecond: number): Promise<Answer[]> {
  const idle = await openAll(traffic);
  const connections = [...idle];
  const answers: Answer[] = [];
  const due: { call: Call; at: number }[] = [];
  const total = Math.round(perSecond * traffic.seconds);
  const { promise: allAnswered, resolve } = Promise.withResolvers<void>();

  const send = async (connection: Connection) => {
    for (let next = due.shift(); next; next = due.shift()) {
      answers.push(await connection.send(next.call, next.at));
    }
    idle.push(connection);
    if (answers.length === total) resolve();
  };
  const startedAt = performance.now();
  for (let made = 0; made < total; await pause(1)) {
    const elapsedMs = performance.now() - startedAt;
    for (; made < total && made * 1_000 <= elapsedMs * perSecond; made++) {
      due.push({ call: traffic.nextCall(), at: startedAt + (made * 1_000) / perSecond });
      const connection = idle.pop();
      if (connection) void send(connection);
    }
  }
  await allAnswered;
  for (const connection of connections) connection.close();
  return answers;
}

const openAll = ({ url, connectionCount }: Traffic): Promise<Connection[]> =>
  Promise.all(Array.from({ length: connectionCount }, () => Connection.open(url)));

class Connection {
  readonly #socket: Socket;
  #received = '';
  #settle: (text: string) => void = () => undefined;

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#settle(''));
    socket.on('data', (text) => {
      this.#received += text;
      if (isWholeAnswer(this.#received)) this.#settle(this.#received);
    });
  }

  async send({ name, bytes }: Call, dueAt: number): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#settle = resolve;
    this.#received = '';
    if (this.#socket.destroyed) resolve('');
    else this.#socket.write(bytes);
    const text = await promise;
    return {
      name,
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
      ms: performance.now() - dueAt,
      hasRetryAfter: /\r\nretry-after: \d/i.test(text),
    };
  }

  close(): void {
    this.#socket.destroy();
  }
}

export const isAccepted = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** The time within which this part of the answers came. */
export function quantile(answers: readonly Answer[], part: number): number {
  const times = answers.map(({ ms }) => ms).sort((left, right) => left - right);
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
}
