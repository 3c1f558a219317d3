import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { type EvidenceStage, quoteReply } from '../evidence.ts';
import type { DialGuard } from '../net/dial-guard.ts';
import { Deadline } from './deadline.ts';
import { type DialFailure, dialHost } from './dial-host.ts';
import type { Egress } from './egress.ts';
import { encrypt } from './encrypt.ts';
import { ReplyParser } from './reply-parser.ts';

/** Something to ask a host about: a mailbox whose every byte has been checked. */
export interface Question {
  readonly mailbox: string;
  readonly needsUtf8: boolean;
}

export interface SessionTimeouts {
  connectMs: number;
  greetingMs: number;
  tlsMs: number;
  /** EHLO, MAIL, RSET. */
  commandMs: number;
  /** RCPT, which may make the host ask another. */
  recipientMs: number;
}

export interface SessionSettings {
  helo: string;
  mailFrom: string;
  timeouts: SessionTimeouts;
  guard: DialGuard;
  egress: Egress;
  clock: Clock;
}

/** Why a conversation is over. Everything but `quit` leaves the unanswered questions to somebody else. */
export type SessionEnding =
  | { kind: DialFailure | 'protocol' | 'tls' | 'tls_demanded' | 'quit' | 'aborted' }
  | { kind: 'timeout'; stage: SessionStage }
  | { kind: 'reply'; stage: SessionStage; code: number; text: string };

export type SessionStage = 'connect' | 'greeting' | 'hello' | 'tls' | 'sender' | 'rcpt' | 'quit';

export interface SessionOwner<Q extends Question> {
  /** The host has greeted us. */
  onGreeting(session: SmtpSession<Q>): void;
  /** The host has answered EHLO and takes transactions. */
  onReady(session: SmtpSession<Q>): void;
  onAnswer(session: SmtpSession<Q>, question: Q, code: number, text: string): void;
  /** MAIL was refused, so this question was never put. */
  onSenderRefused(session: SmtpSession<Q>, question: Q, code: number, text: string): void;
  /** Everything read in one go has been handed out: time to ask more. */
  onRead(session: SmtpSession<Q>): void;
  onEnd(session: SmtpSession<Q>, ending: SessionEnding, unanswered: Q[]): void;
}

export interface SessionTarget {
  host: string;
  ips: readonly string[];
  /**
   * STARTTLS: when it is offered (`offered`), never because it failed with this host before (`never`), or also unoffered
   * because the host demanded it (`always`).
   */
  encryption: 'offered' | 'never' | 'always';
  /** Whether the host's PIPELINING works. While that is unproved, a silent host soon gets one command at a time. */
  pipelining: 'unproved' | 'proved' | 'broken';
}

type Verb = 'GREETING' | 'EHLO' | 'HELO' | 'STARTTLS' | 'RSET' | 'MAIL' | 'QUIT';

const stageOfVerb: Record<Verb, SessionStage> = {
  GREETING: 'greeting',
  EHLO: 'hello',
  HELO: 'hello',
  STARTTLS: 'tls',
  RSET: 'sender',
  MAIL: 'sender',
  QUIT: 'quit',
};

const quitPatienceMs = 1_000;
// Some hosts advertise PIPELINING and read only the first command of a group. The next connection sends them one by one.
const unprovedPipeliningMs = 15_000;

/**
 * One connection to a mail host: greeting, EHLO, STARTTLS, then any number of transactions of MAIL and RCPT, never
 * DATA. Nothing is sent before the banner, and nothing ahead of a reply unless the host offers PIPELINING.
 */
export class SmtpSession<Q extends Question> {
  readonly target: SessionTarget;
  readonly #settings: SessionSettings;
  readonly #owner: SessionOwner<Q>;
  readonly #parser: ReplyParser;
  #socket: Socket | undefined;
  #stopDialling: () => void = ignore;
  readonly #deadline: Deadline;
  #stage: SessionStage = 'connect';
  #isOver = false;
  /** What has been sent and not answered: verbs, and the question itself for RCPT. */
  #expected: (Verb | Q)[] = [];
  #expectedFrom = 0;
  /** What waits to be sent, where the host takes one command at a time. */
  #outbox: { line: string; expects: Verb | Q }[] = [];
  #inTransaction = false;
  #senderRefusal: { code: number; text: string } | undefined;
  #repliesInRead = 0;
  #repliesDue = 0;

  /** The address that was reached. */
  ip = '';
  /** How many questions wait for their answer. */
  outstanding = 0;
  /** How many recipients this connection has been asked about, and has answered. */
  askedCount = 0;
  answeredCount = 0;
  /** Answers since the connection last had nothing to do. */
  answeredSinceIdle = 0;
  /** Answers in the transaction at hand, before the one being handed out, and how many of them were 250. */
  answeredInTransaction = 0;
  acceptedInTransaction = 0;
  /** How the connection came about, for the evidence of every answer on it. */
  evidence: EvidenceStage = { stage: 'connect' };
  isReady = false;
  isEncrypted = false;
  hasPipelining = false;
  hasSmtpUtf8 = false;
  startedAt: number;
  /** When the latest transaction was sent. */
  askedAt = 0;
  /** When the latest bytes arrived. */
  readAt = 0;

  constructor(target: SessionTarget, settings: SessionSettings, owner: SessionOwner<Q>) {
    this.target = target;
    this.#settings = settings;
    this.#owner = owner;
    this.#parser = new ReplyParser((code, text) => this.#onReply(code, text));
    this.#deadline = new Deadline(settings.clock, () => this.#onLate());
    this.startedAt = settings.clock.now();
  }

  connect(firstIp = 0): void {
    const { guard, egress, clock, timeouts } = this.#settings;
    this.#stopDialling = dialHost({
      ips: this.target.ips,
      firstIp,
      guard,
      egress,
      clock,
      timeoutMs: timeouts.connectMs,
      onConnected: (socket, ip) => {
        this.ip = ip;
        this.#socket = socket;
        this.#expected.push('GREETING');
        this.#arm('greeting', timeouts.greetingMs);
        this.#listen(socket);
      },
      onBytes: (bytes) => this.#onBytes(bytes),
      onFailed: (failure, ip) => {
        this.ip = ip;
        this.#end({ kind: failure });
      },
    });
  }

  #listen(socket: Socket): void {
    socket.on('error', this.#onClose);
    socket.on('close', this.#onClose);
    socket.on('end', this.#onClose);
  }

  #onBytes(bytes: Buffer): void {
    this.readAt = this.#settings.clock.now();
    this.#repliesInRead = 0;
    this.#repliesDue = this.#expected.length - this.#expectedFrom;
    const isSmtp = this.#parser.feed(bytes);
    if (this.#isOver) return;
    if (this.#isTlsStarting) {
      // What came in the clear behind the reply to STARTTLS was put there by somebody in between (CVE-2011-0411), or
      // the host does not mean what it says.
      if (isSmtp && this.#repliesInRead === 1 && !this.#parser.hasPartialReply) this.#encrypt();
      else this.#end({ kind: 'tls' });
      return;
    }
    if (!isSmtp) {
      this.#end({ kind: 'protocol' });
      return;
    }
    if (this.#repliesInRead === 0) return;
    if (this.outstanding > 0) this.#arm('rcpt', this.#recipientMs());
    else if (this.#expected.length === this.#expectedFrom && this.#stage !== 'quit') this.#deadline.lift();
    if (this.isReady) this.#owner.onRead(this);
  }

  readonly #onClose = (): void => {
    this.#end(this.#stage === 'quit' ? { kind: 'quit' } : { kind: this.#isTlsStarting ? 'tls' : 'lost' });
  };

  #isTlsStarting = false;
  #greeting = '';

  #onReply(code: number, text: string): void {
    if (this.#isOver) return;
    this.#repliesInRead += 1;
    if (this.#isTlsStarting) return;
    if (this.#repliesInRead > this.#repliesDue) {
      // Nothing that arrived together with a reply can answer what we said after it. Unasked, a host may only say that it
      // is leaving.
      this.#end(code === 421 ? this.#farewell(code, text) : { kind: 'protocol' });
      return;
    }
    const expected = this.#expected[this.#expectedFrom] as Verb | Q;
    if (code === 421 && expected !== 'QUIT') {
      this.#stage = typeof expected === 'string' ? stageOfVerb[expected] : 'rcpt';
      this.#end(this.#farewell(code, text));
      return;
    }
    this.#expectedFrom += 1;
    if (this.#expectedFrom === this.#expected.length) {
      this.#expected.length = 0;
      this.#expectedFrom = 0;
    }
    if (typeof expected === 'string') this.#onVerbReply(expected, code, text);
    else this.#onRecipientReply(expected, code, text);
    if (this.#outbox.length > 0 && this.#expected.length === 0) this.#sendNext();
  }

  #farewell(code: number, text: string): SessionEnding {
    return { kind: 'reply', stage: this.#stage, code, text };
  }

  #onRecipientReply(question: Q, code: number, text: string): void {
    this.outstanding -= 1;
    if (this.#senderRefusal !== undefined) {
      this.#owner.onSenderRefused(this, question, this.#senderRefusal.code, this.#senderRefusal.text);
      return;
    }
    this.#owner.onAnswer(this, question, code, text);
    this.answeredCount += 1;
    this.answeredSinceIdle += 1;
    this.answeredInTransaction += 1;
    if (code === 250) this.acceptedInTransaction += 1;
  }

  #onVerbReply(verb: Verb, code: number, text: string): void {
    switch (verb) {
      case 'GREETING':
        this.#greeting = quoteReply(code, text);
        if (code !== 220) this.#refuse(code, text);
        else {
          this.#say('EHLO', `EHLO ${this.#settings.helo}`, 'hello');
          this.#owner.onGreeting(this);
        }
        return;
      case 'EHLO':
        if (code === 250) this.#onHello(text);
        // RFC 5321 §3.2: a host that does not know EHLO is greeted in the old way.
        else if (code >= 500 && !this.isEncrypted) this.#say('HELO', `HELO ${this.#settings.helo}`, 'hello');
        else this.#refuse(code, text);
        return;
      case 'HELO':
        if (code !== 250) this.#refuse(code, text);
        else this.#becomeReady();
        return;
      case 'STARTTLS':
        if (code === 220) this.#isTlsStarting = true;
        else if (this.target.encryption === 'always') this.#end({ kind: 'tls' });
        // Refused although it was offered: what is asked here is no secret, so plain speech will do.
        else this.#becomeReady();
        return;
      case 'RSET':
        return;
      case 'MAIL':
        this.#onMailReply(code, text);
        return;
      case 'QUIT':
        // Gone when the host has closed too, so that whoever comes next does not meet us in the door.
        this.#socket?.end();
    }
  }

  #refuse(code: number, text: string): void {
    this.#end({ kind: 'reply', stage: this.#stage, code, text });
  }

  #onHello(text: string): void {
    const keywords = new Set(text.split('\n').map((line) => line.trim().split(/[ =]/, 1)[0]?.toUpperCase()));
    this.hasPipelining = keywords.has('PIPELINING') && this.target.pipelining !== 'broken';
    this.hasSmtpUtf8 = keywords.has('SMTPUTF8');
    const { encryption } = this.target;
    const encrypts = encryption === 'always' || (encryption === 'offered' && keywords.has('STARTTLS'));
    if (encrypts && !this.isEncrypted) this.#say('STARTTLS', 'STARTTLS', 'tls');
    else this.#becomeReady();
  }

  #becomeReady(): void {
    if (this.isReady) return;
    this.isReady = true;
    this.evidence = {
      stage: 'connect',
      host: this.target.host,
      ip: this.ip,
      reply: this.#greeting,
      note: this.isEncrypted ? 'encrypted' : 'plain',
      ms: this.#settings.clock.now() - this.startedAt,
    };
    this.#stage = 'rcpt';
    this.#owner.onReady(this);
  }

  #encrypt(): void {
    const plain = this.#socket as Socket;
    plain.removeListener('end', this.#onClose);
    plain.removeListener('close', this.#onClose);
    plain.removeListener('error', this.#onClose);
    plain.on('error', ignore);
    this.#arm('tls', this.#settings.timeouts.tlsMs);
    const secure = encrypt(plain, this.target.host);
    this.#socket = secure;
    secure.on('data', (bytes) => this.#onBytes(bytes));
    this.#listen(secure);
    secure.once('secureConnect', () => {
      if (this.#isOver) return;
      this.#isTlsStarting = false;
      this.isEncrypted = true;
      this.#say('EHLO', `EHLO ${this.#settings.helo}`, 'hello');
    });
  }

  /**
   * Puts one transaction, all of whose questions go to one domain, or goes on with the last one, which saves two round
   * trips where the host takes one command at a time. Call only when ready.
   * See docs/decisions/verifier-one-domain-per-transaction.md.
   */
  ask(questions: readonly Q[], { isContinued = false } = {}): void {
    const needsUtf8 = questions[0]?.needsUtf8 === true;
    if (this.outstanding === 0) this.answeredSinceIdle = 0;
    const mail = `MAIL FROM:<${this.#settings.mailFrom}>${needsUtf8 ? ' SMTPUTF8' : ''}\r\n`;
    this.outstanding += questions.length;
    this.askedCount += questions.length;
    this.askedAt = this.#settings.clock.now();
    this.#arm('rcpt', this.#recipientMs());
    if (!this.hasPipelining) {
      if (this.#inTransaction && !isContinued) this.#outbox.push({ line: 'RSET\r\n', expects: 'RSET' });
      if (!isContinued) this.#outbox.push({ line: mail, expects: 'MAIL' });
      for (const question of questions) {
        this.#outbox.push({ line: `RCPT TO:<${question.mailbox}>\r\n`, expects: question });
      }
      this.#inTransaction = true;
      if (this.#expected.length === this.#expectedFrom) this.#sendNext();
      return;
    }
    let lines = mail;
    if (this.#inTransaction) {
      lines = `RSET\r\n${mail}`;
      this.#expected.push('RSET');
    }
    this.#expected.push('MAIL');
    for (const question of questions) {
      lines += `RCPT TO:<${question.mailbox}>\r\n`;
      this.#expected.push(question);
    }
    this.#inTransaction = true;
    this.#socket?.write(lines, needsUtf8 ? 'utf8' : 'latin1');
  }

  #sendNext(): void {
    const next = this.#outbox.shift();
    if (next === undefined) return;
    this.#expected.push(next.expects);
    this.#socket?.write(
      next.line,
      typeof next.expects === 'object' && next.expects.needsUtf8 ? 'utf8' : 'latin1',
    );
  }

  #onMailReply(code: number, text: string): void {
    this.answeredInTransaction = 0;
    this.acceptedInTransaction = 0;
    if (code < 300) {
      this.#senderRefusal = undefined;
      return;
    }
    if (code === 530 && !this.isEncrypted && /tls/i.test(text)) {
      this.#end({ kind: this.target.encryption === 'offered' ? 'tls_demanded' : 'tls' });
      return;
    }
    this.#senderRefusal = { code, text };
    if (this.hasPipelining) return;
    while (this.#outbox.length > 0 && typeof this.#outbox[0]?.expects !== 'string') {
      const question = this.#outbox.shift()?.expects as Q;
      this.outstanding -= 1;
      this.#owner.onSenderRefused(this, question, code, text);
    }
  }

  /** The host may think it over no longer than the stage allows. */
  #say(verb: Verb, line: string, stage: SessionStage): void {
    this.#expected.push(verb);
    this.#arm(stage, this.#settings.timeouts.commandMs);
    this.#socket?.write(`${line}\r\n`);
  }

  /** Takes leave; the connection is gone at once or very soon. */
  quit(): void {
    if (this.#isOver || this.#stage === 'quit') return;
    if (!this.isReady || this.#expected.length !== this.#expectedFrom) {
      this.abort();
      return;
    }
    this.#say('QUIT', 'QUIT', 'quit');
    this.#arm('quit', Math.min(quitPatienceMs, this.#settings.timeouts.commandMs));
  }

  /** Drops the connection without a word. */
  abort(): void {
    this.#end({ kind: 'aborted' });
  }

  get isIdle(): boolean {
    return this.isReady && !this.#isOver && this.outstanding === 0 && this.#stage !== 'quit';
  }

  get isLeaving(): boolean {
    return this.#isOver || this.#stage === 'quit';
  }

  /** Every question not answered yet, without taking it away. */
  *pending(): Iterable<Q> {
    for (let index = this.#expectedFrom; index < this.#expected.length; index++) {
      const expected = this.#expected[index];
      if (typeof expected === 'object') yield expected;
    }
    for (const { expects } of this.#outbox) if (typeof expects === 'object') yield expects;
  }

  #arm(stage: SessionStage, delayMs: number): void {
    this.#stage = stage;
    this.#deadline.set(delayMs);
  }

  #recipientMs(): number {
    const { recipientMs } = this.#settings.timeouts;
    const isUnproved =
      this.hasPipelining && this.target.pipelining === 'unproved' && this.answeredCount === 0;
    return isUnproved ? Math.min(unprovedPipeliningMs, recipientMs) : recipientMs;
  }

  #onLate(): void {
    this.#end(this.#stage === 'quit' ? { kind: 'quit' } : { kind: 'timeout', stage: this.#stage });
  }

  #end(ending: SessionEnding): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deadline.end();
    this.#stopDialling();
    const unanswered = [...this.pending()];
    this.#expected = [];
    this.#outbox = [];
    this.outstanding = 0;
    const socket = this.#socket;
    if (socket !== undefined) {
      socket.removeAllListeners();
      socket.on('error', ignore);
      socket.destroy();
    }
    this.#owner.onEnd(this, ending, unanswered);
  }
}

function ignore(): void {}
