import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { connect } from 'node:net';

const waitMs = 5000;
const inFlightMax = 500;

export type Forwarded = Buffer | 'unreachable' | undefined;

/** Passes a question on, as it came, to the resolver that the system uses. */
export interface Forwarder {
  /**
   * The resolver's response, undefined where none came in time or too many questions wait, or that this machine has no
   * way to a resolver.
   */
  ask(query: Buffer, transport: 'udp' | 'tcp'): Promise<Forwarded>;
  close(): void;
}

export function createForwarder(servers: string[] = getServers()): Forwarder {
  const upstream = parseServer(servers[0]);
  const open = new Set<() => void>();
  const ask = (query: Buffer, transport: 'udp' | 'tcp') => {
    if (!upstream) return Promise.resolve<Forwarded>('unreachable');
    if (open.size >= inFlightMax) return Promise.resolve<Forwarded>(undefined);
    return new Promise<Forwarded>((resolve) => {
      const finish: Finish = (response) => {
        if (!open.delete(cancel)) return;
        clearTimeout(timer);
        stop();
        resolve(response);
      };
      const cancel = () => finish();
      const timer = setTimeout(cancel, waitMs);
      open.add(cancel);
      const stop =
        transport === 'udp' ? askByUdp(upstream, query, finish) : askByTcp(upstream, query, finish);
    });
  };
  return {
    ask,
    close: () => {
      for (const cancel of open) cancel();
    },
  };
}

type Finish = (response?: Forwarded) => void;

interface Upstream {
  host: string;
  port: number;
}

/** `1.2.3.4`, `1.2.3.4:53`, `::1` or `[::1]:53`, as node:dns writes them. */
function parseServer(text: string | undefined): Upstream | undefined {
  if (text === undefined) return undefined;
  const match = /^\[(.+)\]:(\d+)$/.exec(text) ?? /^([^:]+):(\d+)$/.exec(text);
  return match?.[1] ? { host: match[1], port: Number(match[2]) } : { host: text, port: 53 };
}

function askByUdp({ host, port }: Upstream, query: Buffer, finish: Finish): () => void {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  // A connected socket takes datagrams from its peer only; the id keeps out answers to an earlier question.
  socket.on('message', (response) => {
    if (response.length >= 12 && response.readUInt16BE(0) === query.readUInt16BE(0)) finish(response);
  });
  socket.on('error', () => finish('unreachable'));
  // By event, because a callback of `connect` also gets its error, and `send` throws on a socket that is not connected.
  socket.once('connect', () => socket.send(query));
  socket.connect(port, host);
  return () => {
    socket.removeAllListeners('connect');
    socket.close();
  };
}

function askByTcp({ host, port }: Upstream, query: Buffer, finish: Finish): () => void {
  const socket = connect({ host, port });
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2) return;
    const end = 2 + received.readUInt16BE(0);
    if (received.length >= end) finish(received.subarray(2, end));
  });
  socket.on('error', () => finish('unreachable'));
  socket.on('close', () => finish());
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  return () => socket.destroy();
}
