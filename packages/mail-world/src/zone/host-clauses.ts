import { dnsFaults, type HostPlan, type Limit, type LimitKind, manners, stages } from './plan.ts';
import { type Clause, parseCount, parseDurationMs } from './words.ts';

export function newHost(name: string, line: number): HostPlan {
  return {
    name,
    line,
    stages: {},
    extensions: ['PIPELINING', 'SIZE 36700160', '8BITMIME', 'ENHANCEDSTATUSCODES'],
    requiresTls: false,
    hasBrokenTls: false,
    hasBrokenPipelining: false,
    limits: {},
    manners: [],
    wording: 'plain',
    isClosed: false,
    addresses: ['self'],
  };
}

/** How each clause of a host line changes the host. */
export const hostClauses: Record<string, (host: HostPlan, clause: Clause) => void> = {
  at: readStageOrder,
  offers: (host, clause) => {
    for (const keyword of clause.takeRest('extension')) addExtension(host, keyword);
  },
  lacks: (host, clause) => {
    for (const keyword of clause.takeRest('extension')) removeExtension(host, keyword);
  },
  requires: (host, clause) => {
    clause.takeOneOf('requirement', ['STARTTLS']);
    host.requiresTls = true;
    addExtension(host, 'STARTTLS');
  },
  'broken-tls': (host) => {
    host.hasBrokenTls = true;
    addExtension(host, 'STARTTLS');
  },
  'broken-pipelining': (host) => {
    host.hasBrokenPipelining = true;
  },
  greylist: (host, clause) => {
    host.greylistMs = parseDurationMs(clause.take('delay'));
  },
  limit: (host, clause) => {
    const { kind, limit } = readLimit(clause);
    host.limits[kind] = limit;
  },
  speaks: (host, clause) => {
    for (const text of clause.takeRest('manner')) {
      const manner = manners.find((candidate) => candidate === text);
      if (!manner) throw new Error(`"${text}" is not a manner: ${manners.join(', ')}`);
      host.manners.push(manner);
    }
  },
  wording: (host, clause) => {
    host.wording = clause.take('wording');
  },
  closed: (host) => {
    host.isClosed = true;
  },
  idle: (host, clause) => {
    host.idleMs = parseDurationMs(clause.take('time'));
  },
  address: (host, clause) => {
    host.addresses = clause.takeRest('address');
  },
  alias: (host, clause) => {
    host.cname = clause.take('host name').toLowerCase();
  },
  'host-dns': (host, clause) => {
    host.dnsFault = clause.takeOneOf('DNS fault', dnsFaults);
  },
};

function addExtension(host: HostPlan, keyword: string): void {
  removeExtension(host, keyword);
  host.extensions.push(keyword);
}

function removeExtension(host: HostPlan, keyword: string): void {
  host.extensions = host.extensions.filter((extension) => extension.split(' ')[0] !== keyword);
}

/** `at STAGE [say "…"] [wait DURATION] [close | reset | hang]` */
function readStageOrder(host: HostPlan, clause: Clause): void {
  const stage = clause.takeOneOf('stage', stages);
  const order = host.stages[stage] ?? { waitMs: 0 };
  host.stages[stage] = order;
  do {
    const action = clause.takeOneOf('action', ['say', 'wait', 'close', 'reset', 'hang']);
    if (action === 'say') order.say = clause.takeQuoted('reply');
    else if (action === 'wait') order.waitMs = parseDurationMs(clause.take('time'));
    else order.end = action;
  } while (!clause.isEmpty);
}

/** `limit connections N`, `limit recipients N per transaction|connection|DURATION`, … with an optional `say "…"`. */
function readLimit(clause: Clause): { kind: LimitKind; limit: Limit } {
  const subject = clause.takeOneOf('limit', ['connections', 'recipients', 'transactions', 'unknown']);
  const limit: Limit = { count: parseCount(clause.take('number')), periodMs: 0 };
  let kind: LimitKind = 'connections';
  if (subject === 'recipients') {
    clause.takeOneOf('word', ['per']);
    const per = clause.take('transaction, connection or a duration');
    if (per === 'transaction' || per === 'connection') kind = `recipients-per-${per}`;
    else {
      kind = 'recipients-per-period';
      limit.periodMs = parseDurationMs(per);
    }
  } else kind = subject;
  if (!clause.isEmpty) {
    clause.takeOneOf('word', ['say']);
    limit.say = clause.takeQuoted('reply');
  }
  return { kind, limit };
}
