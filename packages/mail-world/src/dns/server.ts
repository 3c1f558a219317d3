import { createSocket, type Socket as DatagramSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  type PacketOpt,
  type Question,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { Conduct } from '../conduct.ts';
import type { Zone } from '../zone/plan.ts';
import { answerQuestion, forgeAnswer, type Names, type Response, rcode } from './answers.ts';
import type { Forwarder } from './forwarder.ts';

export interface DnsServer {
  port: number;
  close(): Promise<void>;
}

interface DnsServerOptions {
  host: string;
  port: number;
  names: Names;
  conduct: Conduct;
  /** Asked for names outside `.test`; without it they are refused. */
  forwarder?: Forwarder;
}

/** The answers to a query in their order: none, one, or a forged one before it. */
type Answerer = (query: Buffer, transport: 'udp' | 'tcp') => Promise<Buffer[]> | Buffer[];

/** Serves the zone by UDP and by TCP on one port. */
export async function startDnsServer(options: DnsServerOptions): Promise<DnsServer> {
  const answer = createAnswerer(options);
  const { datagrams, streams, port } = await listenOnBoth(options.host, options.port);
  const connections = new Set<Socket>();
  serveDatagrams(datagrams, answer);
  // What cannot be received or accepted, for example because no file is left, ends nothing else.
  streams.on('error', ignore);
  datagrams.on('error', ignore);
  streams.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    serveStream(socket, answer);
  });
  return {
    port,
    close: async () => {
      options.forwarder?.close();
      for (const socket of connections) socket.destroy();
      const closed = [once(datagrams, 'close'), once(streams, 'close')];
      datagrams.close();
      streams.close();
      await Promise.all(closed);
    },
  };
}

const attemptsMax = 20;

/** A port that UDP gives out may be taken for TCP; then another is tried. */
async function listenOnBoth(
  host: string,
  port: number,
): Promise<{ datagrams: DatagramSocket; streams: Server; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const datagrams = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    datagrams.bind(port, host);
    await once(datagrams, 'listening');
    const bound = datagrams.address().port;
    const streams = createServer();
    streams.listen(bound, host);
    try {
      await once(streams, 'listening');
      return { datagrams, streams, port: bound };
    } catch (error) {
      datagrams.close();
      if (port !== 0 || attempt === attemptsMax) throw error;
    }
  }
}

function createAnswerer({ names, conduct, forwarder }: DnsServerOptions): Answerer {
  const asked = new Set<string>();
  return (query, transport) => {
    const packet = decodeQuery(query);
    const question = packet?.questions?.[0];
    if (!packet || !question) return [];
    conduct.countQuestion(question.type);

    if (!isOurs(question.name, names.zone)) {
      if (!forwarder) return [encodeResponse(packet, question, refusal, transport)];
      return forwarder
        .ask(query, transport)
        .then((response) => [
          Buffer.isBuffer(response)
            ? response
            : encodeResponse(packet, question, response === 'unreachable' ? notReady : failure, transport),
        ]);
    }
    const key = `${question.type} ${question.name.toLowerCase()}`;
    const response = answerQuestion(names, question, !asked.has(key));
    if (response === 'drop' && asked.size < askedMax) asked.add(key);
    if (response === 'drop') return [];
    const genuine = encodeResponse(packet, question, response, transport);
    const forged = transport === 'udp' ? forgeAnswer(names.zone, question) : undefined;
    if (!forged) return [genuine];
    return [encodeResponse(packet, { ...question, name: 'forged.test' }, forged, transport), genuine];
  };
}

const askedMax = 10_000;
const refusal: Response = { rcode: rcode.refused, answers: [], authorities: [] };
const failure: Response = { rcode: rcode.servFail, answers: [], authorities: [] };
/**
 * Extended DNS error 14, 'Not Ready' (RFC 8914): the fault is this server's and says nothing about the name. Sent also to
 * clients that do not announce EDNS, because the product's own is one of them.
 */
const notReady: Response = {
  ...failure,
  // The types know only some options.
  options: [{ code: 15, data: Buffer.from([0, 14]) } as unknown as PacketOpt],
};

/** A zone may describe a host with a name outside `.test`, where clients know a provider by it. */
function isOurs(name: string, zone: Zone): boolean {
  return /(^|\.)test$/i.test(name) || zone.hosts.has(name.toLowerCase());
}

/** What cannot be read as a query is dropped, as real servers do: answering it would feed reflections. */
function decodeQuery(query: Buffer): Packet | undefined {
  try {
    const packet = decode(query);
    return packet.type === 'query' ? packet : undefined;
  } catch {
    return undefined;
  }
}

const recursionFlags = 0x0180;
const udpSizeDefault = 512;
const udpSizeMax = 1232;

function encodeResponse(
  query: Packet,
  question: Question,
  response: Response,
  transport: 'udp' | 'tcp',
): Buffer {
  const option = query.additionals?.find((record) => record.type === 'OPT');
  const packet: Packet = {
    id: query.id,
    type: 'response',
    flags: AUTHORITATIVE_ANSWER | recursionFlags | response.rcode,
    questions: [question],
    answers: response.answers,
    authorities: response.authorities,
    additionals:
      option || response.options
        ? [
            {
              type: 'OPT',
              name: '.',
              udpPayloadSize: udpSizeMax,
              flags: 0,
              options: response.options ?? [],
              extendedRcode: 0,
              ednsVersion: 0,
              flag_do: false,
            },
          ]
        : [],
  };
  const bytes = encode(packet);
  const sizeMax = option
    ? Math.min(Math.max(option.udpPayloadSize, udpSizeDefault), udpSizeMax)
    : udpSizeDefault;
  if (transport === 'tcp' || bytes.length <= sizeMax) return bytes;
  return encode({ ...packet, flags: (packet.flags ?? 0) | TRUNCATED_RESPONSE, answers: [], authorities: [] });
}

function serveDatagrams(socket: DatagramSocket, answer: Answerer): void {
  socket.on('message', (query, peer) => {
    // A question that we cannot answer gets none. `send` throws once the world is closed, and for a peer with port 0.
    sendAnswers(query, peer).catch(ignore);
  });

  async function sendAnswers(query: Buffer, peer: RemoteInfo): Promise<void> {
    for (const response of await answer(query, 'udp')) socket.send(response, peer.port, peer.address, ignore);
  }
}

function ignore(): void {}

const streamBytesMax = 65_537;

function serveStream(socket: Socket, answer: Answerer): void {
  let received = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length > streamBytesMax * 2) socket.destroy();
    else sendAnswers().catch(() => socket.destroy());
  });

  async function sendAnswers(): Promise<void> {
    while (received.length >= 2) {
      const end = 2 + received.readUInt16BE(0);
      if (received.length < end) return;
      const query = received.subarray(2, end);
      received = received.subarray(end);
      for (const response of await answer(query, 'tcp')) {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(response.length);
        socket.write(Buffer.concat([length, response]));
      }
    }
  }
}
