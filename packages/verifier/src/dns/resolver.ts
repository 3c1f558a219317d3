import { randomBytes } from 'node:crypto';
import { getServers } from 'node:dns';
import { isIPv6 } from 'node:net';
import type { Answer } from 'dns-packet';
import type { Clock } from '../clock.ts';
import {
  createDnsTransport,
  type DnsPacket,
  type DnsServer,
  isAskable,
  unreachable,
} from './dns-transport.ts';
import { QuestionTurns } from './question-turns.ts';

export interface MxRecord {
  preference: number;
  exchange: string;
}

/** The answer of a name server. Each way of failing has its own status because each leads to another verdict. */
export type DnsAnswer<Record> =
  | { status: 'found'; records: Record[]; expiresAt: number }
  | { status: 'no_data'; expiresAt: number }
  | { status: 'no_such_name'; expiresAt: number }
  | { status: 'failed'; detail: string; expiresAt: number }
  /** `isResolverAway`: we could not ask our own name server, which says nothing about the domain. */
  | { status: 'timeout'; isResolverAway?: true; expiresAt: number };

export interface Resolver {
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  ipv4(name: string): Promise<DnsAnswer<string>>;
  ipv6(name: string): Promise<DnsAnswer<string>>;
}

export interface TextResolver {
  /** The strings of each record are one text. Kept for at least a minute and at most an hour. */
  txt(name: string, customer: string): Promise<DnsAnswer<string>>;
}

export interface SharedResolver extends Resolver, TextResolver {
  /** The same resolver, with the questions of one customer. */
  askedBy(customer: string): Resolver;
  close(): void;
}

export interface ResolverOptions {
  /** `host` or `host:port`; the system's resolvers when empty. */
  servers: readonly string[];
  clock: Clock;
  /** For one question, retries included. */
  timeoutMs: number;
  cacheEntriesMax?: number;
}

const dnsPort = 53;
const ttlMaxS = 86_400;
// RFC 2308 §5 suggests at most one to three hours for a negative answer; §7 allows at most five minutes for a failure.
const negativeTtlMaxS = 10_800;
const negativeTtlDefaultS = 60;
const failureTtlS = 15;
const cnameChainMax = 8;
/** What our name server could reach this long before a question still counts for the question. */
const reachKnownMs = 1_000;
const topLevelsMax = 1_000;
/** What an owner says must be heard soon, and a short TTL must not make us ask again and again. */
const textTtl = { minMs: 60_000, maxMs: 3_600_000 } as const;
/** Some name servers never answer for TXT, and a check must not wait long for that. */
const textTimeoutMs = 3_000;

type Lookup = 'MX' | 'A' | 'AAAA' | 'TXT';

/**
 * A stub resolver with a cache. Node's resolver hides the TTL of MX records and does not distinguish SERVFAIL from a
 * timeout; a verdict needs both.
 */
export function createResolver(options: ResolverOptions): SharedResolver {
  const { clock, timeoutMs } = options;
  const cacheEntriesMax = options.cacheEntriesMax ?? 50_000;
  const servers = parseServers(options.servers.length > 0 ? options.servers : getServers());
  const transport = createDnsTransport(clock);
  const cache = new Map<string, DnsAnswer<unknown>>();
  const flights = new Map<string, Promise<DnsAnswer<unknown>>>();
  /** By top-level domain: whether our name server could find out anything below it, and when. */
  const reached = new Map<string, { isReached: Promise<boolean>; at: number }>();
  const turns = new QuestionTurns();
  /** How often `close` was called. Lookups from before the last call ask no more and are not cached. */
  let closings = 0;

  const askedBy = (customer: string | null): Resolver => ({
    mx: (name) => lookUp(name, 'MX', customer) as Promise<DnsAnswer<MxRecord>>,
    ipv4: (name) => lookUp(name, 'A', customer) as Promise<DnsAnswer<string>>,
    ipv6: (name) => lookUp(name, 'AAAA', customer) as Promise<DnsAnswer<string>>,
  });
  return {
    ...askedBy(null),
    askedBy,
    txt: (name, customer) => lookUp(name, 'TXT', customer) as Promise<DnsAnswer<string>>,
    close() {
      closings += 1;
      transport.close();
    },
  };

  function lookUp(name: string, type: Lookup, customer: string | null): Promise<DnsAnswer<unknown>> {
    const key = `${type} ${name}`;
    const cached = cache.get(key);
    if (cached !== undefined) {
      if (cached.expiresAt > clock.now()) return Promise.resolve(cached);
      cache.delete(key);
    }
    const flying = flights.get(key);
    if (flying !== undefined) return flying;

    const begunAt = closings;
    const flight = turns
      .run(customer, () => follow(name, type, begunAt))
      .then((found) => {
        const answer = type === 'TXT' ? keptAsText(found) : found;
        flights.delete(key);
        if (begunAt === closings) remember(key, answer);
        return answer;
      });
    flights.set(key, flight);
    return flight;
  }

  function keptAsText(answer: DnsAnswer<unknown>): DnsAnswer<unknown> {
    if (answer.status === 'failed' || answer.status === 'timeout') return answer;
    const ttlMs = answer.expiresAt - clock.now();
    return { ...answer, expiresAt: clock.now() + Math.min(Math.max(ttlMs, textTtl.minMs), textTtl.maxMs) };
  }

  function remember(key: string, answer: DnsAnswer<unknown>): void {
    if (answer.expiresAt <= clock.now()) return;
    const oldest = cache.size >= cacheEntriesMax ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(key, answer);
  }

  /** Asks for a name, and for the target of its alias if the server did not follow the alias itself. */
  async function follow(name: string, type: Lookup, begunAt: number): Promise<DnsAnswer<unknown>> {
    let asked = name;
    // For all aliases together: the owner of a name may make each of them slow.
    const deadline = clock.now() + (type === 'TXT' ? Math.min(timeoutMs, textTimeoutMs) : timeoutMs);
    for (let hop = 0; hop <= cnameChainMax; hop++) {
      if (!isAskable(asked)) {
        // The owner of an alias may give it any target, and that may have an address.
        if (hop > 0) return failure('an alias of a name that we cannot ask for');
        return { status: 'no_such_name', expiresAt: clock.now() + negativeTtlDefaultS * 1000 };
      }
      const packet = await askServers({ name: asked, type }, deadline, begunAt);
      if (packet === unreachable) return { status: 'timeout', isResolverAway: true, expiresAt: clock.now() };
      if (typeof packet === 'string') return failure(packet);

      const names = aliasChain(packet, asked);
      if (names === undefined) return failure('aliases in a circle');
      const owner = names.at(-1) as string;
      const records = recordsOf(packet, type, owner);
      if (records.length > 0) {
        const expiresAt = expiry([...aliasesOf(packet, names), ...records]);
        return { status: 'found', records: records.map(dataOf), expiresAt };
      }
      if (packet.rcode === 'NXDOMAIN') {
        return { status: 'no_such_name', expiresAt: negativeExpiry(packet, owner) };
      }
      if (names.length === 1) return { status: 'no_data', expiresAt: negativeExpiry(packet, owner) };
      asked = owner;
    }
    return failure('too many aliases');
  }

  /** Asks the servers in turn. Returns the first useful answer, or the error, or 'timeout', or that none could be asked. */
  async function askServers(
    question: { name: string; type: Lookup },
    deadline: number,
    begunAt: number,
  ): Promise<DnsPacket | string | typeof unreachable> {
    const attempts = Math.max(3, servers.length * 2);
    const startedAt = clock.now();
    let complaint: string | undefined;
    let isAway = false;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const leftMs = deadline - clock.now();
      if (leftMs <= 0 || begunAt !== closings) break;
      const server = servers[attempt % servers.length] as DnsServer;
      // At first a lost datagram is more likely than a slow resolver, so the wait grows with each attempt.
      const waitMs = Math.min(leftMs, (timeoutMs / 8) * 2 ** Math.floor(attempt / servers.length));
      const answer = await transport.ask(server, question, waitMs);
      const packet = typeof answer === 'object' && isNotReady(answer) ? unreachable : answer;
      isAway = packet === unreachable && (attempt === 0 || isAway);
      if (packet === undefined || packet === unreachable) continue;
      complaint = complaintOf(packet);
      if (typeof packet !== 'string' && complaint === undefined) {
        noteReached(question.name, Promise.resolve(true));
        return packet;
      }
      // One more attempt is enough, at the next server or at the same one: an error rarely goes away within seconds.
      if (attempt + 1 >= Math.max(2, servers.length)) break;
    }
    const isOurs =
      complaint !== undefined &&
      mayBeOurs(complaint) &&
      !(await isReached(question.name, { startedAt, begunAt }));
    if (isOurs) return unreachable;
    return complaint ?? (isAway ? unreachable : 'timeout');
  }

  /**
   * Whether our name server can find out anything below the top-level domain of a name. A domain may be broken, but if a name that
   * nobody has fails too, then our name server has no network, or refuses us.
   */
  function isReached(
    name: string,
    { startedAt, begunAt }: { startedAt: number; begunAt: number },
  ): Promise<boolean> {
    const known = reached.get(topLevelOf(name));
    if (known !== undefined && known.at + reachKnownMs > startedAt) return known.isReached;
    const control = `${randomBytes(8).toString('hex')}.${topLevelOf(name)}`;
    return noteReached(name, askControl(control, begunAt));
  }

  function noteReached(name: string, isReached: Promise<boolean>): Promise<boolean> {
    const oldest = reached.size >= topLevelsMax ? reached.keys().next().value : undefined;
    if (oldest !== undefined) reached.delete(oldest);
    reached.set(topLevelOf(name), { isReached, at: clock.now() });
    return isReached;
  }

  async function askControl(name: string, begunAt: number): Promise<boolean> {
    for (const server of servers) {
      if (begunAt !== closings) return true;
      const packet = await transport.ask(server, { name, type: 'A' }, timeoutMs / servers.length);
      if (typeof packet === 'object' && complaintOf(packet) === undefined) return true;
    }
    return false;
  }

  function failure(detail: string): DnsAnswer<unknown> {
    const expiresAt = clock.now() + failureTtlS * 1000;
    return detail === 'timeout' ? { status: 'timeout', expiresAt } : { status: 'failed', detail, expiresAt };
  }

  function expiry(answers: Answer[]): number {
    let ttl = ttlMaxS;
    for (const answer of answers) if ('ttl' in answer) ttl = Math.min(ttl, answer.ttl ?? ttlMaxS);
    return clock.now() + ttl * 1000;
  }

  function negativeExpiry(packet: DnsPacket, asked: string): number {
    let ttl = negativeTtlDefaultS;
    for (const authority of packet.authorities ?? []) {
      if (authority.type === 'SOA' && isWithin(asked, hostName(authority.name))) {
        ttl = Math.min(authority.ttl ?? ttlMaxS, authority.data.minimum ?? ttlMaxS, negativeTtlMaxS);
      }
    }
    return clock.now() + ttl * 1000;
  }
}

/** Why an answer is useless; undefined if it is useful. */
function complaintOf(packet: DnsPacket | string): string | undefined {
  if (typeof packet === 'string') return packet;
  if (isReferral(packet)) return 'the name server only refers to others';
  return packet.rcode === 'NOERROR' || packet.rcode === 'NXDOMAIN' ? undefined : packet.rcode;
}

/** The name server could not find out. One that refuses does so on purpose, as that of a mail world does for all other names. */
const mayBeOurs = (complaint: string): boolean => complaint === 'SERVFAIL';

const topLevelOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const extendedError = 15;
const notReady = 14;

/** RFC 8914 §4.15: the server itself cannot work at the moment, for example because it has no network. */
function isNotReady({ additionals = [] }: DnsPacket): boolean {
  const options = additionals.flatMap((record) => (record.type === 'OPT' ? record.options : []));
  return options.some(
    ({ code, data }) =>
      Number(code) === extendedError &&
      Buffer.isBuffer(data) &&
      data.length >= 2 &&
      data.readUInt16BE(0) === notReady,
  );
}

/** RFC 2308 §2.2: NS records without SOA and answer refer to other servers. They do not say that there is no such record. */
function isReferral({ rcode, answers = [], authorities = [] }: DnsPacket): boolean {
  const hasAuthority = (type: string) => authorities.some((authority) => authority.type === type);
  return rcode === 'NOERROR' && answers.length === 0 && hasAuthority('NS') && !hasAuthority('SOA');
}

/** Records of other owners do not answer this question: ignores them. */
function recordsOf(packet: DnsPacket, type: Lookup, owner: string): Answer[] {
  return (packet.answers ?? []).filter(
    (answer) => answer.type === type && answer.class === 'IN' && hostName(answer.name) === owner,
  );
}

function dataOf(answer: Answer): MxRecord | string {
  if (answer.type === 'MX') {
    return { preference: answer.data.preference ?? 0, exchange: hostName(answer.data.exchange) };
  }
  if (answer.type === 'TXT') return textOf(answer.data);
  return String((answer as { data: unknown }).data);
}

function textOf(data: string | Buffer | (string | Buffer)[]): string {
  const strings = Array.isArray(data) ? data : [data];
  return strings.map((part) => (typeof part === 'string' ? part : part.toString('latin1'))).join('');
}

/** The asked name and the names that its aliases lead to, in order; undefined when they form a circle. */
function aliasChain(packet: DnsPacket, asked: string): string[] | undefined {
  const targets = new Map<string, string>();
  for (const answer of packet.answers ?? []) {
    if (answer.type === 'CNAME' && answer.class === 'IN')
      targets.set(hostName(answer.name), hostName(answer.data));
  }
  const names = new Set([hostName(asked)]);
  for (let next = targets.get(hostName(asked)); next !== undefined; next = targets.get(next)) {
    if (names.has(next)) return undefined;
    names.add(next);
  }
  return [...names];
}

function aliasesOf(packet: DnsPacket, names: readonly string[]): Answer[] {
  return (packet.answers ?? []).filter(
    (answer) => answer.type === 'CNAME' && names.includes(hostName(answer.name)),
  );
}

/** Whether a zone contains the name. */
const isWithin = (name: string, zone: string): boolean =>
  zone === '' || name === zone || name.endsWith(`.${zone}`);

const hostName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

function parseServers(servers: readonly string[]): DnsServer[] {
  return servers.map((server) => {
    if (isIPv6(server)) return { host: server, port: dnsPort };
    const [, inBrackets, plain, port] =
      /^(?:\[([^[\]\s]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(server) ?? [];
    const host = inBrackets ?? plain;
    if (host === undefined) throw new RangeError(`"${server}" is not a name server: write host:port`);
    return { host, port: port === undefined ? dnsPort : Number(port) };
  });
}
