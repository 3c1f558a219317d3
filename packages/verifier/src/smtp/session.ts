import { type EvidenceStage, quoteReply } from '../evidence.ts';
import { type Command, CommandQueue, isQuestion, type Verb } from './command-queue.ts';
import type { DialFailure } from './dial-host.ts';
import type {
  Question,
  Session,
  SessionEnding,
  SessionOwner,
  SessionStage,
  SessionTarget,
} from './session-types.ts';
import { type ReadSummary, Wire, type WireOwner, type WireSettings } from './wire.ts';

export interface SessionTimeouts {
  connectMs: number;
  greetingMs: number;
  tlsMs: number;
  /** EHLO, MAIL, RSET. */
  commandMs: number;
  /** RCPT: a host may ask another host before it answers. */
  recipientMs: number;
}

export interface SessionSettings extends WireSettings {
  helo: string;
  mailFrom: string;
  timeouts: SessionTimeouts;
}

const stageOfVerb: Record<Verb, SessionStage> = {
  GREETING: 'greeting',
  EHLO: 'hello',
  HELO: 'hello',
  STARTTLS: 'tls',
  RSET: 'sender',
  MAIL: 'sender',
  QUIT: 'quit',
};

const quitTimeoutMs = 1_000;
/** Longer than most hosts that delay their greeting on purpose. */
const shortPatienceMs = 20_000;
// Some hosts advertise PIPELINING and read only the first command of a group. The next connection sends them one by one.
const unprovedPipeliningMs = 15_000;

/**
 * The SMTP of one connection to a mail host: greeting, EHLO, STARTTLS, then any number of transactions of MAIL and RCPT,
 * never DATA. It sends nothing before the greeting, and no command before the reply to the last one unless the host
 * offers PIPELINING.
 */
export class SmtpSession<Q extends Question> implements Session<Q>, WireOwner {
  readonly target: SessionTarget;
  readonly #settings: SessionSettings;
  readonly #timeouts: SessionTimeouts;
  readonly #owner: SessionOwner<Q>;
  readonly #wire: Wire;
  readonly #commands = new CommandQueue<Q>();
  #stage: SessionStage = 'connect';
  #isOver = false;
  #isTlsStarting = false;
  #isEncrypted = false;
  #greeting = '';
  #isInTransaction = false;
  #senderRefusal: { code: number; text: string } | undefined;

  ip = '';
  outstanding = 0;
  askedCount = 0;
  answeredCount = 0;
  answeredSinceIdle = 0;
  answeredInTransaction = 0;
  acceptedInTransaction = 0;
  evidence: EvidenceStage = { stage: 'connect' };
  isReady = false;
  hasPipelining = false;
  hasSmtpUtf8 = false;
  readonly startedAt: number;
  askedAt = 0;

  constructor(target: SessionTarget, settings: SessionSettings, owner: SessionOwner<Q>) {
    this.target = target;
    this.#settings = settings;
    this.#timeouts = target.patience === 'short' ? shorten(settings.timeouts) : settings.timeouts;
    this.#owner = owner;
    this.#wire = new Wire(settings, this);
    this.startedAt = settings.clock.now();
  }

  get readAt(): number {
    return this.#wire.readAt;
  }

  get dueCount(): number {
    return this.#commands.dueCount;
  }

  get isIdle(): boolean {
    return this.isReady && !this.isLeaving && this.outstanding === 0;
  }

  get isLeaving(): boolean {
    return this.#isOver || this.#stage === 'quit';
  }

  pending(): Iterable<Q> {
    return this.#commands.questions();
  }

  connect(firstIp = 0): void {
    this.#wire.connect(this.target.ips, firstIp, this.#timeouts.connectMs);
  }

  onConnected(ip: string): void {
    this.ip = ip;
    this.#commands.addSent('GREETING');
    this.#enter('greeting', this.#timeouts.greetingMs);
  }

  onDialFailed(failure: DialFailure, ip: string): void {
    this.ip = ip;
    this.#end({ kind: failure });
  }

  onClosed(): void {
    this.#end(this.#stage === 'quit' ? { kind: 'quit' } : { kind: this.#isTlsStarting ? 'tls' : 'lost' });
  }

  onLate(): void {
    if (this.#stage === 'quit') this.#end({ kind: 'quit' });
    // Some firewalls drop the packets of a handshake. The host may still talk to us in plain text.
    else if (this.#stage === 'tls') this.#end({ kind: 'tls' });
    else this.#end({ kind: 'timeout', stage: this.#stage });
  }

  onReply(code: number, text: string, isUnasked: boolean): void {
    if (this.#isOver || this.#isTlsStarting) return;
    if (isUnasked) {
      // A reply cannot answer a command that we sent after it arrived. Unasked, a host may only say goodbye.
      this.#end(code === 421 ? this.#farewell(code, text) : { kind: 'protocol' });
      return;
    }
    const command = this.#commands.oldest as Command<Q>;
    if (code === 421 && command !== 'QUIT') {
      this.#stage = isQuestion(command) ? 'rcpt' : stageOfVerb[command];
      this.#end(this.#farewell(code, text));
      return;
    }
    this.#commands.removeOldest();
    if (isQuestion(command)) this.#onRecipientReply(command, code, text);
    else this.#onVerbReply(command, code, text);
    this.#sendNext();
  }

  onRead({ replyCount, isSmtp, hasPartialReply }: ReadSummary): void {
    if (this.#isTlsStarting) {
      // An attacker may have added plain text behind the reply to STARTTLS (CVE-2011-0411).
      if (isSmtp && replyCount === 1 && !hasPartialReply) this.#encrypt();
      else this.#end({ kind: 'tls' });
      return;
    }
    if (!isSmtp) {
      this.#end({ kind: 'protocol' });
      return;
    }
    if (replyCount === 0) return;
    if (this.outstanding > 0) this.#enter('rcpt', this.#recipientMs());
    else if (this.#commands.dueCount === 0 && this.#stage !== 'quit') this.#wire.liftDeadline();
    if (this.isReady) this.#owner.onRead(this);
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
        if (code !== 220) this.#end(this.#farewell(code, text));
        else {
          this.#say('EHLO', `EHLO ${this.#settings.helo}`);
          this.#owner.onGreeting(this);
        }
        return;
      case 'EHLO':
        if (code === 250) this.#onHello(text);
        // RFC 5321 §3.2: a host that does not know EHLO gets HELO.
        else if (code >= 500 && !this.#isEncrypted) this.#say('HELO', `HELO ${this.#settings.helo}`);
        else this.#end(this.#farewell(code, text));
        return;
      case 'HELO':
        if (code === 250) this.#becomeReady();
        else this.#end(this.#farewell(code, text));
        return;
      case 'STARTTLS':
        if (code === 220) this.#isTlsStarting = true;
        else if (this.target.encryption === 'always') this.#end({ kind: 'tls' });
        // Refused although it was offered. Our questions are not secret, so we go on without encryption.
        else this.#becomeReady();
        return;
      case 'MAIL':
        this.#onMailReply(code, text);
        return;
      case 'QUIT':
        // We wait for the host to close too, so that it does not count us when we connect again.
        this.#wire.close();
    }
  }

  #onHello(text: string): void {
    const keywords = new Set(text.split('\n').map((line) => line.trim().split(/[ =]/, 1)[0]?.toUpperCase()));
    this.hasPipelining = keywords.has('PIPELINING') && this.target.pipelining !== 'broken';
    this.hasSmtpUtf8 = keywords.has('SMTPUTF8');
    const { encryption } = this.target;
    const encrypts = encryption === 'always' || (encryption === 'offered' && keywords.has('STARTTLS'));
    if (encrypts && !this.#isEncrypted) this.#say('STARTTLS', 'STARTTLS');
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
      note: this.#isEncrypted ? 'encrypted' : 'plain',
      ms: this.#settings.clock.now() - this.startedAt,
    };
    this.#stage = 'rcpt';
    this.#owner.onReady(this);
  }

  #encrypt(): void {
    this.#enter('tls', this.#timeouts.tlsMs);
    this.#wire.encrypt(this.target.host);
  }

  onEncrypted(): void {
    this.#isTlsStarting = false;
    this.#isEncrypted = true;
    this.#say('EHLO', `EHLO ${this.#settings.helo}`);
  }

  ask(questions: readonly Q[], { isContinued = false } = {}): void {
    if (this.outstanding === 0) this.answeredSinceIdle = 0;
    this.outstanding += questions.length;
    this.askedCount += questions.length;
    this.askedAt = this.#settings.clock.now();
    this.#enter('rcpt', this.#recipientMs());
    const needsUtf8 = questions[0]?.needsUtf8 === true;
    const mail = `MAIL FROM:<${this.#settings.mailFrom}>${needsUtf8 ? ' SMTPUTF8' : ''}\r\n`;
    if (this.hasPipelining) this.#sendGroup(mail, questions, needsUtf8);
    else this.#sendOneByOne(isContinued ? undefined : mail, questions);
    this.#isInTransaction = true;
  }

  #sendGroup(mail: string, questions: readonly Q[], needsUtf8: boolean): void {
    let lines = mail;
    if (this.#isInTransaction) {
      lines = `RSET\r\n${mail}`;
      this.#commands.addSent('RSET');
    }
    this.#commands.addSent('MAIL');
    for (const question of questions) {
      this.#owner.onSending(this, question);
      lines += rcptLine(question);
      this.#commands.addSent(question);
    }
    this.#wire.send(lines, needsUtf8 ? 'utf8' : 'latin1');
  }

  #sendOneByOne(mail: string | undefined, questions: readonly Q[]): void {
    if (mail !== undefined) {
      if (this.#isInTransaction) this.#commands.addWaiting('RSET\r\n', 'RSET');
      this.#commands.addWaiting(mail, 'MAIL');
    }
    for (const question of questions) this.#commands.addWaiting(rcptLine(question), question);
    this.#sendNext();
  }

  #sendNext(): void {
    this.#withdraw();
    const next = this.#commands.takeSendable();
    if (next === undefined) return;
    const needsUtf8 = isQuestion(next.command) && next.command.needsUtf8;
    this.#wire.sendNow(next.line, needsUtf8 ? 'utf8' : 'latin1');
  }

  /** Drops the next questions that must not be asked any more. */
  #withdraw(): void {
    for (;;) {
      const next = this.#commands.sendable;
      if (!isQuestion(next) || this.#owner.onSending(this, next)) return;
      this.#commands.dropSendable();
      this.outstanding -= 1;
      this.askedCount -= 1;
      this.#owner.onWithdrawn(this, next);
    }
  }

  #onMailReply(code: number, text: string): void {
    this.answeredInTransaction = 0;
    this.acceptedInTransaction = 0;
    if (code < 300) {
      this.#senderRefusal = undefined;
      return;
    }
    if (code === 530 && !this.#isEncrypted && /tls/i.test(text)) {
      this.#end({ kind: this.target.encryption === 'offered' ? 'tls_demanded' : 'tls' });
      return;
    }
    this.#senderRefusal = { code, text };
    // A host without PIPELINING has not been asked these yet, and would refuse them all.
    for (const question of this.#commands.takeWaitingQuestions()) {
      this.outstanding -= 1;
      this.#owner.onSenderRefused(this, question, code, text);
    }
  }

  /** Sends a command that is not part of a transaction. */
  #say(verb: Verb, line: string): void {
    this.#commands.addSent(verb);
    this.#enter(stageOfVerb[verb], this.#timeouts.commandMs);
    this.#wire.sendNow(`${line}\r\n`);
  }

  quit(): void {
    if (this.isLeaving) return;
    if (!this.isReady || this.#commands.dueCount > 0) {
      this.abort();
      return;
    }
    this.#say('QUIT', 'QUIT');
    this.#wire.setDeadline(Math.min(quitTimeoutMs, this.#timeouts.commandMs));
  }

  abort(): void {
    this.#end({ kind: 'aborted' });
  }

  /** The host has so long for the next reply of this stage. */
  #enter(stage: SessionStage, timeoutMs: number): void {
    this.#stage = stage;
    this.#wire.setDeadline(timeoutMs);
  }

  #recipientMs(): number {
    const { recipientMs } = this.#timeouts;
    const isUnproved =
      this.hasPipelining && this.target.pipelining === 'unproved' && this.answeredCount === 0;
    return isUnproved ? Math.min(unprovedPipeliningMs, recipientMs) : recipientMs;
  }

  #end(ending: SessionEnding): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#wire.destroy();
    const unanswered = [...this.pending()];
    this.#commands.clear();
    this.outstanding = 0;
    this.#owner.onEnd(this, ending, unanswered);
  }
}

const shorten = ({
  connectMs,
  greetingMs,
  tlsMs,
  commandMs,
  recipientMs,
}: SessionTimeouts): SessionTimeouts => ({
  connectMs: Math.min(connectMs, shortPatienceMs),
  greetingMs: Math.min(greetingMs, shortPatienceMs),
  tlsMs: Math.min(tlsMs, shortPatienceMs),
  commandMs: Math.min(commandMs, shortPatienceMs),
  recipientMs: Math.min(recipientMs, shortPatienceMs),
});

const rcptLine = ({ mailbox }: Question): string => `RCPT TO:<${mailbox}>\r\n`;
