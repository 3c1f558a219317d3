import type { Socket } from 'node:net';
import type { ConnectionConduct } from '../conduct.ts';
import type { Stage } from '../zone/plan.ts';
import { type Command, CommandReader, hasNonAscii, readPath } from './command.ts';
import type { Host } from './host.ts';
import { fillReply } from './replies.ts';
import { type After, Speaker } from './speaker.ts';
import { startTls } from './tls.ts';
import { type Envelope, judgeMail, judgeRcpt, newEnvelope } from './transaction.ts';

// A host takes a moment before its banner: so a client that does not wait for it is caught (as postscreen's pause does).
const greetPauseMs = 5;
const idleMsDefault = 300_000;

// RFC 2920 §3.1: these end a group of pipelined commands, whatever the host offers.
const barriers = new Set(['EHLO', 'HELO', 'STARTTLS', 'DATA', 'NOOP', 'VRFY', 'EXPN', 'QUIT']);

/** One connection to a host, from its banner to its end. */
export class Session {
  readonly #host: Host;
  readonly #conduct: ConnectionConduct;
  readonly #reader: CommandReader;
  readonly #speaker: Speaker;
  readonly #envelope: Envelope;
  #nowMs: number;
  #isGreeted = false;
  #isPipeliningOffered = false;
  #isSecure = false;
  /** The host answers nothing more: it hangs, or it has taken its leave. */
  #isDeaf = false;
  #hasQuit = false;
  #lastVerb = '';

  constructor(socket: Socket, host: Host) {
    this.#host = host;
    this.#conduct = host.world.conduct.openConnection(host.plan.name);
    this.#reader = new CommandReader(this.#conduct);
    this.#speaker = new Speaker(socket, host.world.agenda, host.plan.manners);
    this.#envelope = newEnvelope(socket.remoteAddress ?? '');
    this.#nowMs = host.world.agenda.now();
    this.#attach(socket);
    socket.on('close', this.#close);
    socket.setTimeout(host.plan.idleMs ?? idleMsDefault, this.#sayIdle);
    host.connectionCount += 1;
    this.#greet();
  }

  #greet(): void {
    if (this.#host.hasTooManyConnections) {
      this.#conduct.refused();
      this.#say(this.#host.overLimitReply('connections'), greetPauseMs, {}, this.#beGreeted);
    } else this.#respond('banner', this.#host.word('banner'), this.#beGreeted);
    this.#speaker.flush();
  }

  readonly #beGreeted = (): void => {
    this.#isGreeted = true;
  };

  #attach(socket: Socket): void {
    socket.on('data', this.#hear);
    // A client that resets the connection is an event of its own, already counted at close.
    socket.on('error', () => socket.destroy());
  }

  readonly #hear = (chunk: Buffer): void => {
    this.#nowMs = this.#host.world.agenda.now();
    const commands = this.#reader.read(chunk);
    if (this.#host.plan.hasBrokenPipelining) commands.length = Math.min(commands.length, 1);
    for (const command of commands) this.#obey(command);
    if (this.#reader.isOverrun) {
      this.#conduct.violation('overlong line', '');
      this.#speaker.socket.destroy();
    }
    this.#speaker.flush();
  };

  readonly #close = (): void => {
    this.#speaker.stop();
    this.#host.connectionCount -= 1;
    this.#conduct.close();
  };

  readonly #sayIdle = (): void => {
    if (this.#isDeaf) {
      this.#speaker.socket.destroy();
      return;
    }
    this.#nowMs = this.#host.world.agenda.now();
    this.#say('421 4.4.2 {host} Error: timeout exceeded');
    this.#speaker.flush();
  };

  #obey(command: Command): void {
    const { verb, line } = command;
    this.#conduct.line(verb, line);
    this.#noteMisconduct(command);
    this.#lastVerb = verb;
    if (this.#isDeaf) return;
    if (verb === 'RCPT') this.#recipient(line);
    else if (verb === 'MAIL') this.#mail(line);
    else if (verb === 'EHLO') this.#hello();
    else if (verb === 'HELO') this.#respond('helo', '250 {host}', (isOk) => this.#beginAnew(isOk, false));
    else if (verb === 'RSET') this.#respond('rset', '250 2.0.0 Ok', () => this.#endTransaction());
    else if (verb === 'NOOP') this.#say('250 2.0.0 Ok');
    else if (verb === 'QUIT') this.#quit();
    else if (verb === 'STARTTLS') this.#starttls();
    else if (verb === 'VRFY') this.#say('252 2.0.0 Send some mail, I will try my best');
    else if (verb === 'DATA') this.#say('554 5.5.1 Error: this world takes no mail');
    else this.#say('500 5.5.2 Error: command not recognized');
  }

  #noteMisconduct({ verb, line }: Command): void {
    const conduct = this.#conduct;
    if (this.#hasQuit) conduct.violation('command after QUIT', line);
    else if (!this.#isGreeted) conduct.violation('command before banner', line);
    else if (this.#speaker.isBusy && this.#lastVerb !== '') {
      if (barriers.has(this.#lastVerb)) conduct.violation('pipelining past a barrier', line);
      else if (!this.#isPipeliningOffered) conduct.violation('pipelining not offered', line);
    }
    if (verb === 'DATA' || verb === 'BDAT') conduct.violation('DATA', line);
    else if (!knownVerbs.has(verb)) conduct.violation('unknown command', line);
  }

  #hello(): void {
    const extensions = this.#host.plan.extensions.filter(
      (keyword) => keyword !== 'STARTTLS' || !this.#isSecure,
    );
    const lines = ['{host}', ...extensions];
    const reply = lines
      .map((text, index) => `250${index === lines.length - 1 ? ' ' : '-'}${text}`)
      .join('\n');
    this.#respond('ehlo', reply, (isOk) => this.#beginAnew(isOk, extensions.includes('PIPELINING')));
  }

  #beginAnew(isOk: boolean, isPipeliningOffered: boolean): void {
    if (!isOk) return;
    this.#endTransaction();
    this.#envelope.hasSaidHello = true;
    this.#isPipeliningOffered = isPipeliningOffered;
  }

  #endTransaction(): void {
    this.#envelope.sender = undefined;
    this.#envelope.isSenderRefused = false;
  }

  #mail(line: string): void {
    const needsTls = this.#host.plan.requiresTls && !this.#isSecure;
    const opinion = needsTls
      ? { reply: '530 5.7.0 Must issue a STARTTLS command first' }
      : judgeMail(this.#host, this.#envelope, readPath(line));
    this.#noteEncoding(line);
    if (opinion.isMisconduct) this.#conduct.violation('bad sequence', line);
    this.#envelope.isSenderRefused = true;
    this.#respond('mail', opinion.reply, (isOk) => {
      if (!isOk) return;
      this.#conduct.transaction();
      Object.assign(this.#envelope, opinion.begins, { isSenderRefused: false, recipientCount: 0 });
      this.#envelope.transactionCount += 1;
    });
  }

  #recipient(line: string): void {
    this.#conduct.recipient();
    this.#noteEncoding(line);
    const opinion = judgeRcpt(this.#host, this.#envelope, readPath(line), this.#nowMs);
    if (opinion.isMisconduct) this.#conduct.violation('bad sequence', line);
    this.#respond('rcpt', opinion.reply, undefined, opinion);
  }

  #noteEncoding(line: string): void {
    if (!hasNonAscii(line)) return;
    const isAllowed =
      this.#host.plan.extensions.includes('SMTPUTF8') &&
      (this.#envelope.isUtf8 || /\sSMTPUTF8\b/i.test(line));
    if (!isAllowed) this.#conduct.violation('non-ASCII without SMTPUTF8', line);
  }

  #quit(): void {
    this.#hasQuit = true;
    this.#conduct.quit();
    this.#respond('quit', '221 2.0.0 Bye');
    if (!this.#isDeaf) this.#leave('close');
  }

  #starttls(): void {
    if (this.#isSecure || !this.#host.plan.extensions.includes('STARTTLS')) {
      this.#say('502 5.5.1 Error: command not implemented');
      return;
    }
    const order = this.#host.plan.stages.starttls;
    const isRefused = order?.end !== undefined || (order?.say !== undefined && !order.say.startsWith('2'));
    this.#respond('starttls', '220 2.0.0 Ready to start TLS');
    if (!isRefused) this.#speaker.say('', 0, this.#nowMs, () => this.#secure());
  }

  /** Everything said before TLS is forgotten, RFC 3207 §4.2; what came in the clear after STARTTLS is never obeyed. */
  #secure(): void {
    const { socket } = this.#speaker;
    socket.off('data', this.#hear);
    this.#reader.forget();
    this.#envelope.hasSaidHello = false;
    this.#isPipeliningOffered = false;
    this.#endTransaction();
    if (this.#host.plan.hasBrokenTls) {
      socket.end('This is not TLS.\r\n');
      return;
    }
    this.#isSecure = true;
    this.#speaker.socket = startTls(socket);
    this.#attach(this.#speaker.socket);
  }

  /** Says the ordinary reply of a stage, unless the host's plan has another order for it. */
  #respond(stage: Stage, ordinary: string, onSaid?: (isOk: boolean) => void, facts?: ReplyDetails): void {
    const order = this.#host.plan.stages[stage];
    const reply = order?.say ?? (order?.end === undefined ? ordinary : '');
    const isOk = reply.startsWith('2');
    // A stage changes the session at once for the next command; only the banner counts from when it is out.
    if (stage !== 'banner') onSaid?.(isOk);
    if (order?.end === 'hang' && reply === '') {
      this.#isDeaf = true;
      return;
    }
    const pauseMs = stage === 'banner' ? Math.max(0, greetPauseMs - this.#host.world.replyDelayMs) : 0;
    this.#say(
      reply,
      pauseMs + (order?.waitMs ?? 0),
      facts,
      stage === 'banner' ? () => onSaid?.(isOk) : undefined,
    );
    if (order?.end === 'close' || order?.end === 'reset') this.#leave(order.end);
    else if (order?.end === 'hang') this.#isDeaf = true;
  }

  #say(reply: string, waitMs = 0, facts: ReplyDetails = {}, after?: After): void {
    const text = reply === '' ? '' : fillReply(reply, this.#factsFor(facts));
    this.#speaker.say(text, this.#host.world.replyDelayMs + waitMs, this.#nowMs, after);
    // RFC 5321 §3.8: 421 says that the host closes the connection.
    if (reply.startsWith('421')) this.#leave('close');
  }

  #leave(how: 'close' | 'reset'): void {
    this.#isDeaf = true;
    this.#speaker.say('', 0, this.#nowMs, how);
  }

  #factsFor(details: ReplyDetails) {
    return { host: this.#host.plan.name, peer: this.#envelope.peer, ...details };
  }
}

interface ReplyDetails {
  rcpt?: string;
  seconds?: number;
}

const knownVerbs = new Set([
  'RCPT',
  'MAIL',
  'EHLO',
  'HELO',
  'RSET',
  'NOOP',
  'QUIT',
  'STARTTLS',
  'VRFY',
  'DATA',
  'BDAT',
]);
