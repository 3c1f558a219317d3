import { mailboxClauses, newDomain, routeClauses, toName } from './domain-clauses.ts';
import { hostClauses, newHost } from './host-clauses.ts';
import { type Wording, wordingKinds, type Zone } from './plan.ts';
import { Clause, splitClauses, type Word } from './words.ts';

const plainWording: Wording = {
  banner: '220 {host} ESMTP',
  accepted: '250 2.1.5 Ok',
  missing: '550 5.1.1 <{rcpt}>: Recipient address rejected: User unknown in virtual mailbox table',
  full: '552 5.2.2 <{rcpt}>: Recipient address rejected: Mailbox is over quota',
  disabled: '550 5.2.1 <{rcpt}>: Recipient address rejected: This mailbox is disabled',
  busy: '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
  relay: '554 5.7.1 <{rcpt}>: Relay access denied',
  greylist:
    '450 4.2.0 <{rcpt}>: Recipient address rejected: Greylisted, please try again in {seconds} seconds',
};

/** Reads a zone; every mistake of the text is named at once, with its line. */
export function parseZone(text: string): Zone {
  const zone: Zone = {
    hosts: new Map(),
    domains: new Map(),
    wordings: new Map([['plain', plainWording]]),
    examples: [],
    parents: new Set(),
  };
  const reader = { zone, chapter: '' };
  const mistakes: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    try {
      readLine(reader, line, index + 1);
    } catch (error) {
      mistakes.push(`line ${index + 1}: ${error instanceof Error ? error.message : error}`);
    }
  }
  // A line that cannot be read leaves others hanging; those are not mistakes of their own.
  if (mistakes.length === 0) mistakes.push(...findLooseEnds(zone));
  if (mistakes.length > 0) throw new Error(`The zone has mistakes.\n${mistakes.join('\n')}`);
  for (const name of [...zone.hosts.keys(), ...zone.domains.keys()]) {
    const labels = name.split('.');
    for (let depth = 1; depth < labels.length; depth += 1) zone.parents.add(labels.slice(depth).join('.'));
  }
  return zone;
}

interface Reader {
  zone: Zone;
  chapter: string;
}

function readLine(reader: Reader, line: string, number: number): void {
  const [first, ...others] = splitClauses(line);
  if (!first) return;
  const head = new Clause(first);
  const directive = head.takeOneOf('directive', ['host', 'domain', 'wording', 'chapter', 'try']);
  if (directive === 'chapter') reader.chapter = head.takeQuoted('title');
  else if (directive === 'try') readExample(reader, head);
  else {
    const name = head.take('name');
    const clauses = [first.slice(2), ...others].filter((clause) => clause.length > 0);
    if (directive === 'wording') readWording(reader.zone, name, clauses);
    else if (directive === 'host') readHost(reader.zone, toName(name), clauses, number);
    else readDomain(reader, toName(name), clauses, number);
  }
}

function readHost(zone: Zone, name: string, clauses: Word[][], line: number): void {
  if (zone.hosts.has(name)) throw new Error(`the host ${name} is there already`);
  const host = newHost(name, line);
  for (const words of clauses) applyClause(words, host, hostClauses);
  zone.hosts.set(name, host);
}

/**
 * A domain that names no route lives on a host of its own, `mx.` before its name, and clauses of that host may
 * be on the domain's line, so that most behaviours take one line.
 */
function readDomain({ zone, chapter }: Reader, name: string, clauses: Word[][], line: number): void {
  if (zone.domains.has(name)) throw new Error(`the domain ${name} is there already`);
  const domain = newDomain(name, line);
  domain.chapter = chapter;
  const ofHost: Word[][] = [];
  for (const words of clauses) {
    const keyword = words[0]?.text ?? '';
    if (keyword === 'wording') domain.wording = words[1]?.text;
    if (Object.hasOwn(hostClauses, keyword)) ofHost.push(words);
    else applyClause(words, domain, { ...mailboxClauses, ...routeClauses });
  }
  zone.domains.set(name, domain);

  const routes = clauses
    .map((words) => words[0]?.text ?? '')
    .filter((word) => Object.hasOwn(routeClauses, word));
  const hasOwnHost = routes.every((route) => route === 'a-only');
  const misplaced = ofHost.find((words) => !hasOwnHost && words[0]?.text !== 'wording');
  if (misplaced)
    throw new Error(`"${misplaced[0]?.text}" belongs on the line of the host that ${name} names`);
  if (!hasOwnHost) return;
  const ownHost = domain.ownAddressHost ?? `mx.${name}`;
  if (domain.ownAddressHost === undefined) domain.mx = [{ preference: 10, exchange: ownHost }];
  readHost(zone, ownHost, ofHost, line);
}

function applyClause<Plan>(
  words: Word[],
  plan: Plan,
  readers: Record<string, (plan: Plan, clause: Clause) => void>,
): void {
  const clause = new Clause(words);
  const keyword = clause.takeOneOf('clause', Object.keys(readers));
  readers[keyword]?.(plan, clause);
  clause.end();
}

function readWording(zone: Zone, name: string, clauses: Word[][]): void {
  const wording = { ...plainWording };
  for (const words of clauses) {
    const clause = new Clause(words);
    const kind = clause.takeOneOf('kind of reply', wordingKinds);
    wording[kind] = clause.takeQuoted('reply');
    clause.end();
  }
  zone.wordings.set(name, wording);
}

/** `try ADDRESS RESULT REASON "NOTE"` */
function readExample(reader: Reader, clause: Clause): void {
  reader.zone.examples.push({
    address: clause.take('address'),
    result: clause.takeOneOf('result', ['VALID', 'INVALID', 'CATCH_ALL', 'UNKNOWN']),
    reason: clause.take('reason'),
    note: clause.takeQuoted('note'),
    chapter: reader.chapter,
  });
  clause.end();
}

/** Names that a line uses and no line defines. An exchange may be missing on purpose, under `absent.`. */
function findLooseEnds({ hosts, domains, wordings }: Zone): string[] {
  const looseEnds = new Set<string>();
  for (const { name, line, mx, wording, ownAddressHost } of domains.values()) {
    for (const { exchange } of mx)
      if (exchange !== '.' && !exchange.startsWith('absent.') && !hosts.has(exchange))
        looseEnds.add(`line ${line}: ${name} names ${exchange}, which no line describes`);
    if (wording !== undefined && !wordings.has(wording))
      looseEnds.add(`line ${line}: no wording is called ${wording}`);
    if (ownAddressHost !== undefined && !hosts.has(ownAddressHost))
      looseEnds.add(`line ${line}: ${name} has the address of ${ownAddressHost}, which no line describes`);
  }
  for (const { line, wording } of hosts.values())
    if (!wordings.has(wording)) looseEnds.add(`line ${line}: no wording is called ${wording}`);
  return [...looseEnds];
}
