import { domainToASCII } from 'node:url';
import { type DomainPlan, dnsFaults, type Mailbox, type MailExchange, type Truth } from './plan.ts';
import { type Clause, parseCount, parseDurationMs } from './words.ts';

export function newDomain(name: string, line: number): DomainPlan {
  return {
    name,
    line,
    mailboxes: new Map(),
    prefixes: [],
    hasPostmaster: true,
    isUnserved: false,
    mx: [],
    ttlSeconds: 300,
    ownerRecords: [],
    about: '',
    chapter: '',
    truths: [],
    isFickle: false,
  };
}

/** Clauses that say what mailboxes a domain has; they leave open on which host it lives. */
export const mailboxClauses: Record<string, (domain: DomainPlan, clause: Clause) => void> = {
  accepts: (domain, clause) => addMailboxes(domain, clause, { kind: 'accepted' }),
  full: (domain, clause) => addMailboxes(domain, clause, { kind: 'full' }),
  disabled: (domain, clause) => addMailboxes(domain, clause, { kind: 'disabled' }),
  busy: (domain, clause) => addMailboxes(domain, clause, { kind: 'busy' }),
  says: (domain, clause) => {
    const say = clause.takeQuoted('reply');
    addMailboxes(domain, clause, { say });
  },
  'catch-all': (domain, clause) => {
    domain.takesAny = readNameFilter(clause);
  },
  about: (domain, clause) => {
    domain.about = clause.takeQuoted('text');
  },
  living: (domain, clause) => addTruths(domain, clause, 'living'),
  dead: (domain, clause) => addTruths(domain, clause, 'dead'),
  open: (domain, clause) => addTruths(domain, clause, 'open'),
  unknowable: (domain, clause) => addTruths(domain, clause, 'unknowable'),
  fickle: (domain) => {
    domain.isFickle = true;
  },
  'no-postmaster': (domain) => {
    domain.hasPostmaster = false;
  },
  unserved: (domain) => {
    domain.isUnserved = true;
  },
  owner: (domain, clause) => {
    domain.ownerRecords.push(clause.takeQuoted('record'));
  },
  ttl: (domain, clause) => {
    domain.ttlSeconds = parseDurationMs(clause.take('time')) / 1000;
  },
};

/** Clauses that say where a domain's mail goes; of these only `a-only` leaves the domain a host of its own. */
export const routeClauses: Record<string, (domain: DomainPlan, clause: Clause) => void> = {
  mx: (domain, clause) => {
    domain.mx = clause.takeRest('host name').map(readExchange);
  },
  'null-mx': (domain) => {
    domain.mx = [{ preference: 0, exchange: '.' }];
  },
  'a-only': (domain) => {
    domain.ownAddressHost = domain.name;
  },
  'address-of': (domain, clause) => {
    domain.ownAddressHost = toName(clause.take('host name'));
  },
  cname: (domain, clause) => {
    domain.cname = toName(clause.take('name'));
  },
  dns: (domain, clause) => {
    domain.dnsFault = clause.takeOneOf('DNS fault', dnsFaults);
  },
  'no-mail': () => {},
};

/** Names in the zone may be written as people read them; DNS and SMTP know them as A-labels. */
export function toName(text: string): string {
  return /^[\w.-]+$/.test(text) ? text.toLowerCase() : domainToASCII(text);
}

/** `host` or `preference:host`; without preferences the hosts are tried in the order written. */
function readExchange(text: string, index: number): MailExchange {
  const match = /^(\d+):(.+)$/.exec(text);
  if (match?.[2]) return { preference: Number(match[1]), exchange: toName(match[2]) };
  return { preference: 10 * (index + 1), exchange: toName(text) };
}

function addTruths(domain: DomainPlan, clause: Clause, truth: Truth): void {
  for (const name of clause.takeRest('mailbox')) domain.truths.push({ name, truth });
}

const nameMarks = { digits: /\d/, dots: /\./, hyphens: /-/ } as const;

/** `[ordinary | without MARK | with MARK | up-to N]`: the names that a catch-all takes. */
function readNameFilter(clause: Clause): (name: string) => boolean {
  if (clause.isEmpty) return () => true;
  const kind = clause.takeOneOf('kind', ['ordinary', 'without', 'with', 'up-to']);
  if (kind === 'ordinary') return (name) => !looksRandom(name);
  if (kind === 'up-to') {
    const lengthMax = parseCount(clause.take('number'));
    return (name) => name.length <= lengthMax;
  }
  const mark = nameMarks[clause.takeOneOf('mark', ['digits', 'dots', 'hyphens'])];
  return (name) => mark.test(name) === (kind === 'with');
}

/**
 * Whether a local part looks made up by a machine: long, many digits, letters and digits alternating, or letters that
 * cannot be pronounced. Hosts that filter probes look for such signs.
 */
function looksRandom(name: string): boolean {
  const digitCount = name.replaceAll(/\D/g, '').length;
  const switchCount = name.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0;
  return name.length > 24 || digitCount > 4 || switchCount > 2 || /[bcdfghjklmnpqrstvwxz]{5}/.test(name);
}

function addMailboxes(domain: DomainPlan, clause: Clause, mailbox: Mailbox): void {
  for (const name of clause.takeRest('mailbox')) {
    if (name.endsWith('*')) domain.prefixes.push({ prefix: name.slice(0, -1).toLowerCase(), mailbox });
    else domain.mailboxes.set(name.toLowerCase(), mailbox);
  }
}
