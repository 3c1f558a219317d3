import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createConnection } from 'node:net';
import { type DecodedPacket, decode } from 'dns-packet';
import type { Clock } from '../clock.ts';

/** dns-packet also reads the response code, which its types leave out. */
export type DnsPacket = DecodedPacket & { rcode?: string };

export interface DnsServer {
  host: string;
  port: number;
}

interface DnsQuestion {
  name: string;
  type: 'A' | 'AAAA' | 'MX';
}

/** One question to one server: an answer, or nothing within the time. */
type DnsExchange = (
  server: DnsServer,
  question: DnsQuestion,
  timeoutMs: number,
) => Promise<DnsPacket | undefined>;

export interface DnsTransport {
  ask: DnsExchange;
  /** Settles everything under way as unanswered and closes every socket. */
  close(): void;
}

/** A socket takes so many questions and is then replaced, so that its source port is hard to guess. */
const questionsPerSocket = 64;

interface Line {
  socket: UdpSocket;
  asked: number;
  isClosed: boolean;
  /** What is to be sent once the socket is connected; undefined from then on. */
  held: (() => void)[] | undefined;
  waiting: Map<number, Waiting>;
}

interface Waiting {
  question: DnsQuestion;
  settle: (packet: DnsPacket | undefined) => void;
}

/** UDP first, TCP when the answer was cut short. Sockets live only while a question waits on them. */
export function createDnsTransport(clock: Clock): DnsTransport {
  const openLines = new Map<string, Line>();
  const hangUps = new Set<() => void>();

  return { ask, close };

  function close(): void {
    for (const hangUp of [...hangUps]) hangUp();
  }

  async function ask(server: DnsServer, question: DnsQuestion, timeoutMs: number) {
    const startedAt = clock.now();
    const answer = await askByUdp(server, question, timeoutMs);
    if (answer?.flag_tc !== true) return answer;
    return askByTcp(server, question, Math.max(1, timeoutMs - (clock.now() - startedAt)));
  }

  function askByUdp(server: DnsServer, question: DnsQuestion, timeoutMs: number) {
    const line = lineTo(server);
    const id = unusedId(line);
    return new Promise<DnsPacket | undefined>((resolve) => {
      const settle = (packet: DnsPacket | undefined) => {
        stopTimer();
        line.waiting.delete(id);
        if (line.waiting.size === 0) closeLine(line);
        resolve(packet);
      };
      const stopTimer = clock.after(timeoutMs, () => settle(undefined));
      line.waiting.set(id, { question, settle });
      const send = () =>
        line.socket.send(encodeQuestion(id, question), (error) => error && settle(undefined));
      if (line.held === undefined) send();
      else line.held.push(send);
    });
  }

  function lineTo(server: DnsServer): Line {
    const key = `${server.host} ${server.port}`;
    const open = openLines.get(key);
    if (open !== undefined && open.asked < questionsPerSocket) {
      open.asked += 1;
      return open;
    }
    const socket = createSocket(server.host.includes(':') ? 'udp6' : 'udp4');
    const line: Line = { socket, asked: 1, isClosed: false, held: [], waiting: new Map() };
    // Connected, so that the kernel drops what comes from anyone but this server.
    socket.connect(server.port, server.host, () => {
      const held = line.held ?? [];
      line.held = undefined;
      if (line.waiting.size > 0) for (const send of held) send();
    });
    socket.on('error', () => hangUp());
    socket.on('message', (bytes) => {
      const packet = decodeAnswer(bytes);
      const waiting = packet?.id === undefined ? undefined : line.waiting.get(packet.id);
      if (packet !== undefined && waiting !== undefined && isAnswerTo(packet, waiting.question)) {
        waiting.settle(packet);
      }
    });
    const hangUp = () => {
      closeLine(line);
      for (const { settle } of [...line.waiting.values()]) settle(undefined);
    };
    hangUps.add(hangUp);
    socket.once('close', () => hangUps.delete(hangUp));
    openLines.set(key, line);
    return line;
  }

  function closeLine(line: Line): void {
    if (line.isClosed) return;
    line.isClosed = true;
    for (const [key, open] of openLines) if (open === line) openLines.delete(key);
    line.socket.close();
  }

  function askByTcp(server: DnsServer, question: DnsQuestion, timeoutMs: number) {
    return new Promise<DnsPacket | undefined>((resolve) => {
      const id = randomId();
      const socket = createConnection({ host: server.host, port: server.port });
      const received: Buffer[] = [];
      const settle = (packet?: DnsPacket) => {
        stopTimer();
        hangUps.delete(settle);
        socket.destroy();
        resolve(packet);
      };
      const stopTimer = clock.after(timeoutMs, () => settle());
      hangUps.add(settle);
      socket.on('error', () => settle());
      socket.on('close', () => settle());
      socket.on('connect', () => {
        const query = encodeQuestion(id, question);
        const length = Buffer.alloc(2);
        length.writeUInt16BE(query.length);
        socket.write(Buffer.concat([length, query]));
      });
      socket.on('data', (bytes: Buffer) => {
        received.push(bytes);
        const all = Buffer.concat(received);
        if (all.length < 2 || all.length < 2 + all.readUInt16BE(0)) return;
        const packet = decodeAnswer(all.subarray(2, 2 + all.readUInt16BE(0)));
        settle(packet?.id === id && isAnswerTo(packet, question) ? packet : undefined);
      });
    });
  }
}

const typeCodes: Record<DnsQuestion['type'], number> = { A: 1, MX: 15, AAAA: 28 };
const dot = 46;

/**
 * A question as RFC 1035 §4.1 writes it. Answers, which come from strangers, are read with dns-packet; the one shape of
 * question that we ask is written by hand, because the library takes ten times as long and lists have many domains.
 */
function encodeQuestion(id: number, { name, type }: DnsQuestion): Buffer {
  const headerLength = 12;
  const bytes = Buffer.alloc(headerLength + 1 + name.length + 1 + 4);
  bytes[0] = id >> 8;
  bytes[1] = id & 0xff;
  // Recursion desired, one question.
  bytes[2] = 1;
  bytes[5] = 1;
  // Every label stands behind its length, which takes the place of the dot before it.
  let lengthAt = headerLength;
  for (let index = 0; index < name.length; index++) {
    const at = headerLength + 1 + index;
    const code = name.charCodeAt(index);
    if (code !== dot) {
      bytes[at] = code;
      continue;
    }
    bytes[lengthAt] = at - lengthAt - 1;
    lengthAt = at;
  }
  const end = headerLength + 1 + name.length;
  bytes[lengthAt] = end - lengthAt - 1;
  bytes[end + 2] = typeCodes[type];
  bytes[end + 4] = 1;
  return bytes;
}

/** Whether a name can be asked for at all: labels of 1 to 63 octets, 253 in all. Names in answers may be anything. */
export const isAskable = (name: string): boolean =>
  name.length <= 253 && /^[!-\-/-~]{1,63}(?:\.[!-\-/-~]{1,63})*$/.test(name);

/** What cannot be read is no answer; the question then waits for a better one or for its time to end. */
function decodeAnswer(bytes: Buffer): DnsPacket | undefined {
  try {
    const packet = decode(bytes);
    return packet.type === 'response' ? packet : undefined;
  } catch {
    return undefined;
  }
}

/**
 * RFC 5452 §9.1: an answer repeats the question. The id alone has 65,536 values, so a forger who floods the port would
 * soon hit one that waits.
 */
function isAnswerTo({ questions }: DnsPacket, { name, type }: DnsQuestion): boolean {
  const [repeated, ...others] = questions ?? [];
  return (
    repeated !== undefined &&
    others.length === 0 &&
    repeated.type === type &&
    repeated.class === 'IN' &&
    repeated.name.toLowerCase() === name.toLowerCase()
  );
}

function unusedId(line: Line): number {
  for (;;) {
    const id = randomId();
    if (!line.waiting.has(id)) return id;
  }
}

const randomIds = new Uint16Array(256);
let usedIds = randomIds.length;

/** Drawn in advance by the global `crypto`: node:crypto takes longer to load than many a list to look up. */
function randomId(): number {
  if (usedIds === randomIds.length) {
    crypto.getRandomValues(randomIds);
    usedIds = 0;
  }
  return randomIds[usedIds++] as number;
}
