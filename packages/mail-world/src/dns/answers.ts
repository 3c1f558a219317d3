import type { Answer, PacketOpt, Question, RecordType, SoaAnswer } from 'dns-packet';
import type { DnsFault, Zone } from '../zone/plan.ts';

export const rcode = { noError: 0, servFail: 2, nxDomain: 3, refused: 5 } as const;

export interface Response {
  rcode: number;
  answers: Answer[];
  authorities: Answer[];
  /** Of EDNS. */
  options?: PacketOpt[];
}

/** The world as DNS sees it: the zone, and the loopback address at which each host is served. */
export interface Names {
  zone: Zone;
  addressOf(hostName: string): string | undefined;
}

// The time for which a resolver may remember that something is not there; short, so that a zone under
// development is not remembered wrongly.
const negativeTtlSeconds = 30;
const cnameChainMax = 8;

/** The response to a question, or 'drop' where the zone has the question go unanswered. */
export function answerQuestion(names: Names, question: Question, isFirstAsking: boolean): Response | 'drop' {
  const fault = faultOf(names.zone, question.name.toLowerCase());
  if (fault === 'timeout' || (fault === 'lossy' && isFirstAsking)) return 'drop';
  if (fault === 'servfail') return { rcode: rcode.servFail, answers: [], authorities: [] };
  if (fault === 'refused') return { rcode: rcode.refused, answers: [], authorities: [] };

  const { answers, nameExists } = collectRecords(names, question.name, question.type);
  const found = answers.some((answer) => answer.type === question.type);
  return {
    rcode: nameExists ? rcode.noError : rcode.nxDomain,
    answers:
      fault === 'unrelated' && question.type === 'MX' ? [trapOf('unrelated.test'), ...answers] : answers,
    authorities: found ? [] : [startOfAuthority],
  };
}

/** What somebody in between would like a client to believe: an answer to another question with the name that was asked. */
export function forgeAnswer(zone: Zone, { name, type }: Question): Response | undefined {
  if (faultOf(zone, name.toLowerCase()) !== 'forged' || type !== 'MX') return undefined;
  return { rcode: rcode.noError, answers: [trapOf(name)], authorities: [] };
}

/** Leads to a host that takes everything. */
const trapOf = (name: string): Answer => ({
  type: 'MX',
  name,
  ttl: 300,
  data: { preference: 0, exchange: 'mx.trap.test' },
});

/** Follows aliases from name to name, as a resolver does, and gathers what it meets. */
function collectRecords(
  names: Names,
  asked: string,
  type: RecordType,
): { answers: Answer[]; nameExists: boolean } {
  const answers: Answer[] = [];
  let name = asked;
  for (let step = 0; step < cnameChainMax; step += 1) {
    const records = recordsOf(names, name.toLowerCase());
    if (!records) return { answers, nameExists: false };
    const { cname, ttl } = records;
    if (cname === undefined || type === 'CNAME') {
      if (cname !== undefined) answers.push({ type: 'CNAME', name, ttl, data: cname });
      return { answers: [...answers, ...recordsOfType(records, name, type)], nameExists: true };
    }
    answers.push({ type: 'CNAME', name, ttl, data: cname });
    name = cname;
  }
  return { answers, nameExists: true };
}

interface Records {
  ttl: number;
  cname?: string;
  addresses: string[];
  mx: { preference: number; exchange: string }[];
  texts?: string[];
}

/** Below this name of a domain its owner says how often verifiers may ask. */
const ownerLabel = '_assay.';

const ownerDomainOf = (zone: Zone, name: string) =>
  name.startsWith(ownerLabel) ? zone.domains.get(name.slice(ownerLabel.length)) : undefined;

/** The records of a name. A name with names below it exists, even without records of its own. */
function recordsOf({ zone, addressOf }: Names, name: string): Records | undefined {
  const owned = ownerDomainOf(zone, name);
  if (owned !== undefined && owned.ownerRecords.length > 0)
    return { ttl: owned.ttlSeconds, addresses: [], mx: [], texts: owned.ownerRecords };
  const domain = zone.domains.get(name);
  const host = zone.hosts.get(domain?.ownAddressHost ?? name);
  if (!domain && !host) return zone.parents.has(name) ? { ttl: 0, addresses: [], mx: [] } : undefined;
  const own = host && addressOf(host.name);
  return {
    ttl: domain?.ttlSeconds ?? 300,
    cname: domain?.cname ?? host?.cname,
    addresses: (host?.addresses ?? []).flatMap((address) => (address === 'self' ? (own ?? []) : address)),
    mx: domain?.mx ?? [],
  };
}

function recordsOfType(
  { ttl, addresses, mx, texts = [] }: Records,
  name: string,
  type: RecordType,
): Answer[] {
  if (type === 'MX') return mx.map((data) => ({ type: 'MX', name, ttl, data }));
  if (type === 'TXT') return texts.map((data) => ({ type: 'TXT', name, ttl, data }));
  const isSix = (address: string) => address.includes(':');
  if (type === 'A')
    return addresses.filter((address) => !isSix(address)).map((data) => ({ type: 'A', name, ttl, data }));
  if (type === 'AAAA') return addresses.filter(isSix).map((data) => ({ type: 'AAAA', name, ttl, data }));
  return [];
}

function faultOf(zone: Zone, name: string): DnsFault | undefined {
  const owned = ownerDomainOf(zone, name);
  if (owned?.ownerDnsFault !== undefined) return owned.ownerDnsFault;
  return zone.domains.get(name)?.dnsFault ?? zone.hosts.get(name)?.dnsFault;
}

// RFC 2308: the last field says for how long 'not there' may be remembered.
const startOfAuthority: SoaAnswer = {
  type: 'SOA',
  name: 'test',
  ttl: negativeTtlSeconds,
  data: {
    mname: 'ns.mail-world.test',
    rname: 'hostmaster.mail-world.test',
    serial: 1,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum: negativeTtlSeconds,
  },
};
