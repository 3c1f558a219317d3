import { createSocket } from 'node:dgram';
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
  type: 'A' | 'AAAA' | 'MX' | 'TXT';
}

/** The server could not be asked: nothing listens there, or this machine has no way to it. */
export const unreachable = Symbol('unreachable');

/** Sends one question to one server; a string says why there is no usable answer, undefined that none came in time. */
type DnsExchange = (
  server: DnsServer,
  question: DnsQuestion,
  timeoutMs: number,
) => Promise<DnsPacket | string | typeof unreachable | undefined>;

export interface DnsTransport {
  ask: DnsExchange;
  /** Ends all open questions without an answer and closes every socket. */
  close(): void;
}

/**
 * Asks by UDP, and by TCP when the answer is truncated. Three things make an answer hard to forge (RFC 5452): the id, a
 * source port of its own for each question, and random letter case in the name, which the answer must repeat ("0x20").
 * A server that changes the letter case is asked again by TCP, which cannot be forged from afar.
 */
export function createDnsTransport(clock: Clock): DnsTransport {
  const openQuestions = new Set<() => void>();

  return { ask, close };

  function close(): void {
    for (const abandon of [...openQuestions]) abandon();
  }

  async function ask(server: DnsServer, { name, type }: DnsQuestion, timeoutMs: number) {
    const startedAt = clock.now();
    const question = { name: mixCase(name), type };
    const answer = await askByUdp(server, question, timeoutMs);
    if (answer === undefined || answer === unreachable) return answer;
    const isCaseKept = answer.questions?.[0]?.name === question.name;
    if (isCaseKept && !answer.flag_tc) return answer;
    const leftMs = timeoutMs - (clock.now() - startedAt);
    const cause = isCaseKept ? 'truncated answers' : 'other letter case';
    return (
      // None is left if the answer waited for this process: that says nothing about the server.
      (await askByTcp(server, question, leftMs > 0 ? leftMs : timeoutMs)) ??
      `the name server sends ${cause} by UDP and no answer by TCP`
    );
  }

  function askByUdp(server: DnsServer, question: DnsQuestion, timeoutMs: number) {
    return new Promise<DnsPacket | typeof unreachable | undefined>((resolve) => {
      const id = randomNumber();
      const socket = createSocket(server.host.includes(':') ? 'udp6' : 'udp4');
      const settle = (packet?: DnsPacket | typeof unreachable) => {
        if (!openQuestions.delete(abandon)) return;
        stopTimer();
        socket.close();
        resolve(packet);
      };
      const abandon = () => settle();
      const stopTimer = clock.after(timeoutMs, abandon);
      openQuestions.add(abandon);
      socket.on('error', () => settle(unreachable));
      socket.on('message', (bytes) => {
        const packet = decodeAnswer(bytes);
        if (packet?.id === id && isAnswerTo(packet, question)) settle(packet);
      });
      // A connected socket receives datagrams only from this server. The system gives it a random port. Node reports a
      // failure to connect only to the callback.
      socket.connect(server.port, server.host, (failure?: Error) => {
        if (failure !== undefined) settle(unreachable);
        else if (openQuestions.has(abandon)) {
          socket.send(encodeQuestion(id, question), (error) => error && settle(unreachable));
        }
      });
    });
  }

  function askByTcp(server: DnsServer, question: DnsQuestion, timeoutMs: number) {
    return new Promise<DnsPacket | undefined>((resolve) => {
      const id = randomNumber();
      const socket = createConnection({ host: server.host, port: server.port });
      const received: Buffer[] = [];
      const settle = (packet?: DnsPacket) => {
        stopTimer();
        openQuestions.delete(settle);
        socket.destroy();
        resolve(packet);
      };
      const stopTimer = clock.after(timeoutMs, () => settle());
      openQuestions.add(settle);
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

const typeCodes: Record<DnsQuestion['type'], number> = { A: 1, MX: 15, TXT: 16, AAAA: 28 };
const dot = 46;

/**
 * Encodes a question (RFC 1035 §4.1). We decode answers, which come from strangers, with dns-packet, but encode our only
 * kind of question by hand: the library takes ten times as long, and lists have many domains.
 */
function encodeQuestion(id: number, { name, type }: DnsQuestion): Buffer {
  const headerLength = 12;
  const bytes = Buffer.alloc(headerLength + 1 + name.length + 1 + 4);
  bytes[0] = id >> 8;
  bytes[1] = id & 0xff;
  // Recursion desired, one question.
  bytes[2] = 1;
  bytes[5] = 1;
  // The length of a label goes before it, in the place of the dot.
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

/** Whether a question can hold this name: labels of 1 to 63 octets, 253 in all. Answers may contain any name. */
export const isAskable = (name: string): boolean =>
  name.length <= 253 && /^[!-\-/-~]{1,63}(?:\.[!-\-/-~]{1,63})*$/.test(name);

/** Ignores what it cannot decode: the question goes on waiting for an answer. */
function decodeAnswer(bytes: Buffer): DnsPacket | undefined {
  try {
    const packet = decode(bytes);
    return packet.type === 'response' ? packet : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 5452 §9.1: an answer repeats the question. The id alone has 65,536 values, so a flood of answers would hit it. */
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

/** The name with each letter in upper or lower case at random. */
function mixCase(name: string): string {
  let mixed = '';
  let bits = 0;
  for (let index = 0; index < name.length; index++) {
    if (index % 16 === 0) bits = randomNumber();
    const letter = name[index] as string;
    mixed += bits & 1 ? letter.toUpperCase() : letter.toLowerCase();
    bits >>= 1;
  }
  return mixed;
}

const randomNumbers = new Uint16Array(256);
let usedNumbers = randomNumbers.length;

/** 16 random bits, drawn in advance from the global `crypto`: node:crypto takes longer to load than a short list takes. */
function randomNumber(): number {
  if (usedNumbers === randomNumbers.length) {
    crypto.getRandomValues(randomNumbers);
    usedNumbers = 0;
  }
  return randomNumbers[usedNumbers++] as number;
}
