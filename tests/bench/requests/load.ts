import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';

export interface Target {
  readonly url: string;
  readonly token: string;
  /** The process that answers. */
  readonly pid: number;
}

export interface Rate {
  readonly perSecond: number;
  /** Processor time of the answering process for one request. */
  readonly cpuMicroseconds: number;
}

const connectionCount = 32;

/** Sends this many requests and keeps one under way on each connection. */
export async function load(target: Target, requestCount: number): Promise<Rate> {
  const sockets = await Promise.all(Array.from({ length: connectionCount }, () => open(target)));
  const cpuBefore = await cpuMsOf(target.pid);
  const startedAt = performance.now();
  const callsEach = Math.ceil(requestCount / connectionCount);
  await Promise.all(sockets.map((socket) => callTimes(callsEach, socket, requestOf(target))));
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuMs = (await cpuMsOf(target.pid)) - cpuBefore;
  for (const socket of sockets) socket.destroy();
  const answered = callsEach * connectionCount;
  return { perSecond: answered / seconds, cpuMicroseconds: (cpuMs * 1_000) / answered };
}

async function open({ url }: Target): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

function requestOf({ url, token }: Target): string {
  const { host, pathname, search } = new URL(url);
  const lines = [`GET ${pathname}${search} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A client of our own, because a general one takes more processor time than some of the servers it measures. */
function callTimes(count: number, socket: Socket, request: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let answerCount = 0;
  let received = '';
  socket.setEncoding('latin1').on('error', reject);
  socket.on('close', () => reject(new Error('The server closed the connection.')));
  socket.on('data', (text) => {
    received += text;
    if (!isWholeAnswer(received)) return;
    if (!received.startsWith('HTTP/1.1 200 ')) return reject(new Error(received));
    received = '';
    answerCount += 1;
    if (answerCount < count) socket.write(request);
    else resolve();
  });
  socket.write(request);
  return promise;
}

/** Whether a text holds all of an HTTP answer. */
export function isWholeAnswer(text: string): boolean {
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  if (bodyAt < 4) return false;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= bodyAt + Number(length);
}

/** As Linux counts it, in steps of 10 ms. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program may hold spaces; the fields are counted behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
