import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Question,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import { onTestFinished } from 'vitest';

interface ScriptedAnswer {
  answers?: Answer[];
  authorities?: Answer[];
  /** 0 is NOERROR, 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  rcode?: number;
  /** An extended error (RFC 8914). */
  extendedError?: number;
  /** By UDP the answer is cut short; by TCP it is whole. */
  isTruncated?: boolean;
  /** Answers this question instead of the one that was asked. */
  questions?: Question[];
  /** Has another id than the question. */
  isMisnumbered?: boolean;
  /** Repeats the question with upper and lower case exchanged. */
  swapsCase?: boolean;
  /** What happens to questions by TCP instead of an answer. */
  byTcp?: 'hang up' | 'silence';
  /** Sent by UDP before the answer: bytes of no packet, or the question itself. */
  noise?: 'garbage' | 'echo';
}

/** A datagram as it arrived. */
interface Query {
  name: string;
  port: number;
  /** Whether the server is to ask others in turn (RD, RFC 1035 §4.1.1). */
  isRecursive: boolean;
}

/** Answers a question, written as `MX example.com`; undefined means no answer. */
export type DnsScript = (question: string, turn: number, isTcp: boolean) => ScriptedAnswer | undefined;

/** An OPT record with this extended error; the types know only some options. */
const extendedErrorOf = (code: number): Answer =>
  ({
    type: 'OPT',
    name: '.',
    udpPayloadSize: 1232,
    flags: 0,
    options: [{ code: 15, data: Buffer.from([0, code]) }],
  }) as unknown as Answer;

/** A name server on loopback that follows a script and ends with the test. */
export async function startScriptedDns(
  script: DnsScript,
): Promise<{ server: string; asked: string[]; queries: Query[] }> {
  const asked: string[] = [];
  const queries: Query[] = [];
  const answer = (
    query: Buffer,
    isTcp: boolean,
  ): { reply: Buffer; noise: Buffer[] } | 'hang up' | 'silence' => {
    const { id, questions: given } = decode(query);
    const question = `${given?.[0]?.type} ${given?.[0]?.name.toLowerCase()}`;
    asked.push(isTcp ? `${question} by TCP` : question);
    const scripted = script(question, asked.filter((other) => other === question).length, isTcp);
    if (scripted === undefined) return 'hang up';
    if (isTcp && scripted.byTcp !== undefined) return scripted.byTcp;
    const { answers = [], authorities = [], rcode = 0, isTruncated = false, swapsCase = false } = scripted;
    const questions = scripted.questions ?? (swapsCase ? given?.map(swapCase) : given);
    const isCut = isTruncated && !isTcp;
    const flags = AUTHORITATIVE_ANSWER | rcode | (isCut ? TRUNCATED_RESPONSE : 0);
    const noise = { garbage: [Buffer.from('no packet')], echo: [query], none: [] }[scripted.noise ?? 'none'];
    const packet = {
      type: 'response',
      id: scripted.isMisnumbered && id !== undefined ? id ^ 1 : id,
      flags,
      questions,
      answers: isCut ? [] : answers,
      authorities,
      additionals: scripted.extendedError === undefined ? [] : [extendedErrorOf(scripted.extendedError)],
    } as const;
    return { reply: encode(packet), noise };
  };

  const tcp = createServer();
  const open = new Set<Socket>();
  tcp.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.on('data', (bytes: Buffer) => {
      const isWhole = bytes.readUInt16BE(0) === bytes.length - 2;
      const answered = isWhole ? answer(bytes.subarray(2), true) : 'hang up';
      if (typeof answered === 'string') {
        if (answered === 'hang up') socket.destroy();
        return;
      }
      const { reply } = answered;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      const whole = Buffer.concat([length, reply]);
      // In pieces, as a network may deliver it.
      socket.write(whole.subarray(0, 1));
      setImmediate(() => {
        socket.write(whole.subarray(1, 7));
        setImmediate(() => socket.write(whole.subarray(7)));
      });
    });
  });
  const { udp, port } = await listenOnBoth(tcp);
  udp.on('message', (query, sender) => {
    const { questions, flag_rd: isRecursive } = decode(query);
    queries.push({ name: questions?.[0]?.name ?? '', port: sender.port, isRecursive });
    const answered = answer(query, false);
    if (typeof answered === 'string') return;
    for (const bytes of [...answered.noise, answered.reply]) udp.send(bytes, sender.port, sender.address);
  });
  onTestFinished(() => {
    udp.close();
    tcp.close();
    for (const socket of open) socket.destroy();
  });
  return { server: `127.0.0.1:${port}`, asked, queries };
}

const attemptsMax = 20;

/** The port that TCP gets may be taken for UDP, since every question has a port of its own; then another is tried. */
async function listenOnBoth(tcp: Server): Promise<{ udp: UdpSocket; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    const udp = createSocket('udp4');
    udp.bind(port, '127.0.0.1');
    try {
      await once(udp, 'listening');
      return { udp, port };
    } catch (error) {
      udp.close();
      tcp.close();
      await once(tcp, 'close');
      if (attempt === attemptsMax) throw error;
    }
  }
}

const swapCase = (question: Question): Question => ({
  ...question,
  name: question.name.replace(/[a-z]/gi, (letter) => {
    const upper = letter.toUpperCase();
    return letter === upper ? letter.toLowerCase() : upper;
  }),
});

export const mx = (name: string, exchange: string, preference = 10, ttl = 300): Answer => ({
  type: 'MX',
  name,
  ttl,
  data: { preference, exchange },
});

export const a = (name: string, data: string, ttl = 300): Answer => ({ type: 'A', name, ttl, data });
export const aaaa = (name: string, data: string, ttl = 300): Answer => ({ type: 'AAAA', name, ttl, data });
export const cname = (name: string, data: string, ttl = 300): Answer => ({ type: 'CNAME', name, ttl, data });

export const soa = (name: string, minimum: number, ttl = minimum): Answer => ({
  type: 'SOA',
  name,
  ttl,
  data: { mname: 'ns', rname: 'hostmaster', serial: 1, refresh: 1, retry: 1, expire: 1, minimum },
});
