// What clients did to the world's hosts, so that a test can hold a client's conduct. Counters are plain numbers and
// everything that grows is bounded: the world runs for weeks inside the product.

export type Violation =
  | 'command before banner'
  | 'pipelining not offered'
  | 'pipelining past a barrier'
  | 'DATA'
  | 'non-ASCII without SMTPUTF8'
  | 'overlong line'
  | 'bare line break'
  | 'control character'
  | 'bad sequence'
  | 'unknown command'
  | 'command after QUIT';

export interface ViolationRecord {
  violation: Violation;
  host: string;
  line: string;
}

/** Counts of the whole world, or of one host of it. */
export interface Counts {
  connectionsNow: number;
  connectionsPeak: number;
  connectionsTotal: number;
  /** Connections that the host turned away because it had too many. */
  connectionsRefused: number;
  /** Connections that the client ended with QUIT. */
  quits: number;
  transactions: number;
  recipients: number;
  recipientsPerConnectionMax: number;
  recipientsPerTransactionMax: number;
  /** How often each command came, by its verb. */
  commands: Record<string, number>;
}

/** One connection's client side: the first lines that it sent, as they came. */
export interface Transcript {
  host: string;
  lines: string[];
}

const violationsMax = 1000;
const transcriptsMax = 64;
const transcriptLinesMax = 64;
const lineCharactersMax = 200;
const verbs = new Set([
  'EHLO',
  'HELO',
  'MAIL',
  'RCPT',
  'RSET',
  'NOOP',
  'QUIT',
  'STARTTLS',
  'DATA',
  'VRFY',
  'EXPN',
  'AUTH',
]);

export class Conduct {
  total: Counts = newCounts();
  /** The first violations in full; `violationCount` has them all. */
  violations: ViolationRecord[] = [];
  violationCount = 0;
  /** The latest connections. */
  transcripts: Transcript[] = [];
  /** How many DNS questions came, by record type. */
  questions: Record<string, number> = {};
  readonly #hosts = new Map<string, Counts>();

  /** What was done to one host, by its name. */
  host(name: string): Counts {
    let counts = this.#hosts.get(name);
    if (!counts) {
      counts = newCounts();
      this.#hosts.set(name, counts);
    }
    return counts;
  }

  /** Forgets everything but the connections that are open now. */
  reset(): void {
    for (const counts of [this.total, ...this.#hosts.values()]) {
      const { connectionsNow } = counts;
      Object.assign(counts, newCounts(), { connectionsNow, connectionsPeak: connectionsNow });
    }
    this.violations = [];
    this.violationCount = 0;
    this.transcripts = [];
    this.questions = {};
  }

  countQuestion(type: string): void {
    this.questions[type] = (this.questions[type] ?? 0) + 1;
  }

  openConnection(hostName: string): ConnectionConduct {
    return new ConnectionConduct(this, hostName);
  }

  recordViolation(violation: Violation, host: string, line: string): void {
    this.violationCount += 1;
    if (this.violations.length < violationsMax)
      this.violations.push({ violation, host, line: line.slice(0, lineCharactersMax) });
  }
}

/** What one connection does; a session reports here and nowhere else. */
export class ConnectionConduct {
  readonly #conduct: Conduct;
  readonly #host: Counts;
  readonly #transcript: Transcript;
  #recipients = 0;
  #recipientsInTransaction = 0;

  constructor(conduct: Conduct, hostName: string) {
    this.#conduct = conduct;
    this.#host = conduct.host(hostName);
    this.#transcript = { host: hostName, lines: [] };
    conduct.transcripts.push(this.#transcript);
    if (conduct.transcripts.length > transcriptsMax) conduct.transcripts.shift();
    for (const counts of [conduct.total, this.#host]) {
      counts.connectionsNow += 1;
      counts.connectionsTotal += 1;
      counts.connectionsPeak = Math.max(counts.connectionsPeak, counts.connectionsNow);
    }
  }

  line(verb: string, line: string): void {
    const { lines } = this.#transcript;
    if (lines.length < transcriptLinesMax) lines.push(line.slice(0, lineCharactersMax));
    // Verbs are counted under names known beforehand, so that nonsense cannot grow the table.
    const key = verbs.has(verb) ? verb : 'other';
    this.#conduct.total.commands[key] = (this.#conduct.total.commands[key] ?? 0) + 1;
    this.#host.commands[key] = (this.#host.commands[key] ?? 0) + 1;
  }

  transaction(): void {
    this.#recipientsInTransaction = 0;
    this.#conduct.total.transactions += 1;
    this.#host.transactions += 1;
  }

  recipient(): void {
    this.#recipients += 1;
    this.#recipientsInTransaction += 1;
    this.#countRecipient(this.#conduct.total);
    this.#countRecipient(this.#host);
  }

  #countRecipient(counts: Counts): void {
    counts.recipients += 1;
    if (this.#recipients > counts.recipientsPerConnectionMax)
      counts.recipientsPerConnectionMax = this.#recipients;
    if (this.#recipientsInTransaction > counts.recipientsPerTransactionMax)
      counts.recipientsPerTransactionMax = this.#recipientsInTransaction;
  }

  violation(violation: Violation, line: string): void {
    this.#conduct.recordViolation(violation, this.#transcript.host, line);
  }

  refused(): void {
    this.#conduct.total.connectionsRefused += 1;
    this.#host.connectionsRefused += 1;
  }

  quit(): void {
    this.#conduct.total.quits += 1;
    this.#host.quits += 1;
  }

  close(): void {
    this.#conduct.total.connectionsNow -= 1;
    this.#host.connectionsNow -= 1;
  }
}

function newCounts(): Counts {
  return {
    connectionsNow: 0,
    connectionsPeak: 0,
    connectionsTotal: 0,
    connectionsRefused: 0,
    quits: 0,
    transactions: 0,
    recipients: 0,
    recipientsPerConnectionMax: 0,
    recipientsPerTransactionMax: 0,
    commands: {},
  };
}
