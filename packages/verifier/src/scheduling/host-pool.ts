import { type EvidenceStage, quoteReply } from '../evidence.ts';
import {
  classifyEarlyReply,
  classifyReply,
  createReplyClassifier,
  type ReplyClass,
} from '../judgement/classify-reply.ts';
import type { Reason } from '../judgement/reasons.ts';
import {
  type SessionEnding,
  type SessionOwner,
  type SessionSettings,
  type SessionTarget,
  SmtpSession,
} from '../smtp/session.ts';
import type { Agenda } from './agenda.ts';
import { FairQueue } from './fair-queue.ts';
import type { HostPermit, HostPermits, MailPlace } from './host-permits.ts';
import type { Job, JobPlace } from './job.ts';

/** What a pool reports to; the engine behind it decides what becomes of a job. */
export interface PoolOwner {
  onAccepted(pool: HostPool, job: Job, session: SmtpSession<Job>, code: number, text: string): void;
  onReply(pool: HostPool, job: Job, found: ReplyClass, stage: EvidenceStage, session: SmtpSession<Job>): void;
  /** The host cannot take such a name at all. */
  onNameUnsupported(job: Job, session: SmtpSession<Job>): void;
  /** The host will not answer; the job goes on to the next, if there is one. */
  onHostFailed(job: Job, reason: Reason, stage: EvidenceStage): void;
  /** The host rests for a while. Whether the job waits at it; if not, the job is no longer the pool's. */
  waitsUntil(job: Job, time: number, isRepeated: boolean): boolean;
  onHeldOff(job: Job, found: ReplyClass, afterMs: number, stage: EvidenceStage): void;
  /** This pool wants connections and has to wait for them, or no longer has to. */
  onShortOfPermits(pool: HostPool, isShort: boolean): void;
  /** Whether another pool waits for a connection. */
  isCrowded(pool: HostPool): boolean;
  /** Whether a connection with nothing to do is worth keeping for a moment. */
  mayRest(pool: HostPool): boolean;
}

export interface PoolServices {
  settings: SessionSettings;
  permits: HostPermits;
  agenda: Agenda;
  owner: PoolOwner;
  limits: { connectionsPerHost: number; recipientsPerTransaction: number; idleMs: number };
}

const recipientsAtFirst = 50;
/** The stage for those who want no evidence. */
const unrecorded: EvidenceStage = { stage: 'rcpt' };
// A new connection costs three round trips or more; it pays only when the others have that much before them.
const roundTripsWorthAConnection = 4;
const recipientsWorthAConnectionUnpipelined = 12;
// With others waiting for a connection, ours goes to them after this many.
const recipientsInATurn = 200;
const downMs = 30_000;
const pauseFirstMs = 500;
const pauseMaxMs = 60_000;
const lossesMax = 2;
const connectionsRegrowMs = 60_000;

/**
 * The connections to one mail host and what waits for them. It starts with one connection and a short transaction,
 * grows while the host answers, and shrinks to what the host shows it will bear.
 */
export class HostPool implements SessionOwner<Job>, JobPlace {
  readonly place: MailPlace;
  readonly name: string;
  readonly #ips: readonly string[];
  readonly #services: PoolServices;
  readonly #queue = new FairQueue();
  readonly #sessions = new Map<SmtpSession<Job>, HostPermit>();
  readonly #idleTimers = new Map<SmtpSession<Job>, () => void>();
  /** Sessions that get nothing more to do and leave when they are done. */
  readonly #spent = new WeakSet<SmtpSession<Job>>();
  #acquiring = 0;
  #stopAcquiring = new AbortController();
  #encryption: SessionTarget['encryption'] = 'offered';
  #connectionsMax = 1;
  #connectionsCeiling: number;
  #recipientsMax: number;
  #isRecipientLimitKnown = false;
  #recipientsPerConnection = Number.POSITIVE_INFINITY;
  #hasPipelining = true;
  #pausedUntil = 0;
  /** Pauses, losses and time-outs in a row without an answer between them. */
  #strikes = 0;
  #losses = 0;
  #down: { reason: Reason; stage: EvidenceStage; until: number } | undefined;
  #isPumpDue = false;
  #dialCount = 0;
  readonly #classify = createReplyClassifier();

  constructor(name: string, ips: readonly string[], place: MailPlace, services: PoolServices) {
    this.name = name;
    this.place = place;
    this.#ips = ips;
    this.#services = services;
    this.#connectionsCeiling = services.limits.connectionsPerHost;
    this.#recipientsMax = Math.min(recipientsAtFirst, services.limits.recipientsPerTransaction);
  }

  /** Nothing waits, nothing is connected, and nothing was learned that must not be forgotten yet. */
  get isForgettable(): boolean {
    const now = this.#now();
    return (
      this.#queue.size === 0 &&
      this.#sessions.size === 0 &&
      this.#acquiring === 0 &&
      this.#pausedUntil < now &&
      (this.#down?.until ?? 0) < now
    );
  }

  add(job: Job): void {
    if (job.client.isCancelled) return;
    if (this.#down !== undefined && this.#down.until > this.#now()) {
      this.#services.owner.onHostFailed(job, this.#down.reason, this.#down.stage);
      return;
    }
    this.#queue.add(job);
    this.#pumpSoon();
  }

  /** Lets go of what nobody wants any more, connections included. */
  dropCancelled(): void {
    this.#queue.drain((job) => job.client.isCancelled);
    for (const session of [...this.#sessions.keys()]) {
      const pending = [...session.pending()];
      if (pending.length > 0 && pending.every((job) => job.client.isCancelled)) session.abort();
    }
    if (this.#queue.size === 0) this.#abandonAcquiring();
    this.#pumpSoon();
  }

  /** Ends every connection: politely where nothing is under way, at once everywhere else. */
  close(): void {
    this.#queue.drain();
    this.#abandonAcquiring();
    for (const session of [...this.#sessions.keys()]) session.quit();
  }

  abort(): void {
    this.#queue.drain();
    this.#abandonAcquiring();
    for (const session of [...this.#sessions.keys()]) session.abort();
  }

  get connectionCount(): number {
    return this.#sessions.size;
  }

  /** Gives up a connection that has nothing to do, so that another host of the provider can have it. */
  closeIdle(): void {
    for (const session of [...this.#sessions.keys()]) if (session.isIdle) session.quit();
  }

  // Jobs arrive one by one in one turn of the event loop; waiting for its end puts them into one transaction.
  #pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    setImmediate(() => {
      this.#isPumpDue = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#pausedUntil > this.#now()) return;
    while (this.#queue.size > 0) {
      const session = this.#freestSession();
      if (session === undefined) break;
      const room = Math.min(this.#recipientsMax, this.#recipientsPerConnection - session.askedCount);
      const batch = this.#queue.take(room);
      if (batch.length > 0) this.#ask(session, batch);
    }
    if (this.#queue.size > 0) this.#openSessions();
    else this.#restSessions();
  }

  #ask(session: SmtpSession<Job>, batch: Job[]): void {
    if (batch[0]?.needsUtf8 && !session.hasSmtpUtf8) {
      for (const job of batch) this.#services.owner.onNameUnsupported(job, session);
      return;
    }
    this.#stopIdleTimer(session);
    session.ask(batch);
    const isUsedUp = session.askedCount >= this.#recipientsPerConnection;
    const isTurnOver = session.askedCount >= recipientsInATurn && this.#services.owner.isCrowded(this);
    if (isUsedUp || isTurnOver) this.#spent.add(session);
  }

  /** The connection with the least to do that may take more. */
  #freestSession(): SmtpSession<Job> | undefined {
    let freest: SmtpSession<Job> | undefined;
    for (const session of this.#sessions.keys()) {
      if (!session.isReady || session.isLeaving || this.#spent.has(session)) continue;
      if (freest === undefined || session.outstanding < freest.outstanding) freest = session;
    }
    if (freest === undefined || freest.outstanding === 0) return freest;
    // A second transaction may follow the first in the pipe, but not for a handful of recipients.
    const isWorthIt = freest.hasPipelining && this.#queue.size >= this.#recipientsMax / 2;
    return isWorthIt && freest.outstanding <= this.#recipientsMax / 2 ? freest : undefined;
  }

  #openSessions(): void {
    const perConnection = this.#hasPipelining
      ? this.#recipientsMax * roundTripsWorthAConnection
      : recipientsWorthAConnectionUnpipelined;
    const wanted = Math.ceil(this.#queue.size / Math.min(perConnection, this.#recipientsPerConnection));
    const allowed = Math.min(wanted, this.#connectionsMax, this.#connectionsCeiling);
    let count = this.#acquiring;
    for (const session of this.#sessions.keys())
      if (!session.isLeaving && !this.#spent.has(session)) count += 1;
    for (; count < allowed; count++) void this.#openSession();
  }

  async #openSession(): Promise<void> {
    const { permits, owner, settings } = this.#services;
    const { signal } = this.#stopAcquiring;
    this.#acquiring += 1;
    let isGranted = false;
    setImmediate(() => {
      if (!isGranted && !signal.aborted) owner.onShortOfPermits(this, true);
    });
    const permit = await permits.acquire(this.place, signal).catch(() => undefined);
    isGranted = true;
    if (!signal.aborted) {
      this.#acquiring -= 1;
      if (this.#acquiring === 0) owner.onShortOfPermits(this, false);
    }
    if (permit === undefined) return;
    if (signal.aborted || this.#queue.size === 0) {
      permit.release();
      return;
    }
    const target = { host: this.name, ips: this.#ips, encryption: this.#encryption };
    const session = new SmtpSession<Job>(target, settings, this);
    this.#sessions.set(session, permit);
    session.connect(this.#dialCount++ % this.#ips.length);
  }

  #abandonAcquiring(): void {
    this.#stopAcquiring.abort();
    this.#stopAcquiring = new AbortController();
    this.#acquiring = 0;
    this.#services.owner.onShortOfPermits(this, false);
  }

  #restSessions(): void {
    for (const session of [...this.#sessions.keys()]) {
      if (!session.isIdle) continue;
      if (this.#spent.has(session) || !this.#services.owner.mayRest(this)) session.quit();
      else if (!this.#idleTimers.has(session)) {
        const stop = this.#services.settings.clock.after(this.#services.limits.idleMs, () => session.quit());
        this.#idleTimers.set(session, stop);
      }
    }
  }

  #stopIdleTimer(session: SmtpSession<Job>): void {
    const stop = this.#idleTimers.get(session);
    if (stop === undefined) return;
    stop();
    this.#idleTimers.delete(session);
  }

  onReady(session: SmtpSession<Job>): void {
    this.#hasPipelining = session.hasPipelining;
    this.#down = undefined;
    this.#connectionsMax = Math.min(this.#connectionsMax * 2, this.#services.limits.connectionsPerHost);
    this.#pump();
  }

  onRead(session: SmtpSession<Job>): void {
    if (session.outstanding === 0) {
      const grown = Math.min(this.#recipientsMax * 2, this.#services.limits.recipientsPerTransaction);
      if (!this.#isRecipientLimitKnown) this.#recipientsMax = grown;
      if (this.#spent.has(session)) session.quit();
    }
    this.#pump();
  }

  onAnswer(session: SmtpSession<Job>, job: Job, code: number, text: string): void {
    if (code === 250) {
      this.#noteProgress();
      this.#services.owner.onAccepted(this, job, session, code, text);
      return;
    }
    const found = this.#classify(code, text, job.mailbox);
    if (found.meaning === 'new_transaction' && session.answeredInTransaction > 0) {
      this.#recipientsMax = Math.min(this.#recipientsMax, session.answeredInTransaction);
      this.#isRecipientLimitKnown = true;
      this.#queue.add(job);
    } else if (found.meaning === 'new_transaction' || found.meaning === 'slow_down') {
      this.#onSlowDown(session, job, found, this.#stageOf(session, 'rcpt', code, text, found.rule));
    } else {
      this.#noteProgress();
      const stage = job.client.wantsEvidence
        ? this.#stageOf(session, 'rcpt', code, text, found.rule)
        : unrecorded;
      this.#services.owner.onReply(this, job, found, stage, session);
    }
  }

  onSenderRefused(session: SmtpSession<Job>, job: Job, code: number, text: string): void {
    const found = classifyEarlyReply('sender', code, text);
    const stage = this.#stageOf(session, 'sender', code, text, found.rule);
    if (found.meaning === 'slow_down') this.#onSlowDown(session, job, found, stage);
    else if (found.meaning === 'ask_later') this.#services.owner.onReply(this, job, found, stage, session);
    else this.#services.owner.onHostFailed(job, found.reason, stage);
  }

  #onSlowDown(session: SmtpSession<Job>, job: Job, found: ReplyClass, stage: EvidenceStage): void {
    this.#queue.add(job);
    if (this.#spent.has(session)) return;
    if (found.rule === 'too-many-bad-recipients' && session.answeredCount > 0) {
      // This connection has had its fill of wrong names; a new one starts afresh.
      this.#recipientsPerConnection = Math.min(this.#recipientsPerConnection, session.answeredCount);
      this.#spent.add(session);
      return;
    }
    this.#recipientsMax = Math.max(1, this.#recipientsMax >> 1);
    this.#pause(found, stage);
  }

  /** Leaves the host alone for the time it names, or for longer each time. */
  #pause(found: ReplyClass, stage: EvidenceStage): void {
    const now = this.#now();
    if (this.#pausedUntil > now) return;
    const forMs = found.retryAfterMs ?? Math.min(pauseFirstMs * 2 ** this.#strikes, pauseMaxMs);
    this.#strikes += 1;
    this.#connectionsMax = 1;
    this.#pausedUntil = now + forMs;
    const { owner, permits, agenda } = this.#services;
    permits.holdOff?.(this.place, forMs);
    agenda.at(this.#pausedUntil, () => this.#pump());
    const isRepeated = this.#strikes > lossesMax;
    const leaving = this.#queue.drain((job) => !owner.waitsUntil(job, this.#pausedUntil, isRepeated));
    for (const job of leaving) owner.onHeldOff(job, found, forMs, stage);
  }

  onEnd(session: SmtpSession<Job>, ending: SessionEnding, unanswered: Job[]): void {
    this.#sessions.get(session)?.release();
    this.#sessions.delete(session);
    this.#stopIdleTimer(session);
    const wanted = unanswered.filter((job) => !job.client.isCancelled);
    if (ending.kind !== 'quit' && ending.kind !== 'aborted') {
      if (session.isReady) this.#onConversationLost(session, ending, wanted);
      else this.#onConnectionFailed(session, ending);
    }
    if (this.#queue.size > 0) this.#pumpSoon();
  }

  #onConnectionFailed(session: SmtpSession<Job>, ending: SessionEnding): void {
    if (ending.kind === 'tls' && this.#encryption === 'offered') {
      // What was offered does not work; the conversation needs no secrecy, so it is tried in the clear.
      this.#encryption = 'never';
      return;
    }
    const found =
      ending.kind === 'reply'
        ? classifyEarlyReply(earlyStage(ending.stage), ending.code, ending.text)
        : undefined;
    const stage = this.#stageOfEnding(session, ending, found?.rule);
    const others = this.#readyCount();
    if (others > 0) {
      // The host talks to us on other connections: it only wants no more of them.
      this.#connectionsCeiling = others;
      this.#services.agenda.at(this.#now() + connectionsRegrowMs, () => {
        this.#connectionsCeiling = this.#services.limits.connectionsPerHost;
      });
      return;
    }
    if (found !== undefined && found.meaning !== 'no_answer') this.#pause(found, stage);
    else if (ending.kind === 'lost' && ++this.#losses < lossesMax) return;
    else this.#goDown(found?.reason ?? reasonOfEnding(ending), stage);
  }

  #onConversationLost(session: SmtpSession<Job>, ending: SessionEnding, unanswered: Job[]): void {
    if (ending.kind === 'tls_demanded') {
      this.#encryption = 'always';
      this.#requeue(unanswered);
      return;
    }
    if (unanswered.length === 0) return;
    const isStale = session.answeredSinceIdle === 0 && session.answeredCount > 0;
    if (isStale && ending.kind !== 'timeout') {
      // It was closed while it rested, just as we spoke.
      this.#requeue(unanswered);
      return;
    }
    const found =
      ending.kind === 'reply' ? classifyFarewell(ending.stage, ending.code, ending.text) : undefined;
    const stage = this.#stageOfEnding(session, ending, found?.rule);
    if (found?.meaning === 'no_answer' || ending.kind === 'tls' || ending.kind === 'protocol') {
      this.#requeue(unanswered);
      this.#goDown(found?.reason ?? reasonOfEnding(ending), stage);
      return;
    }
    if (session.answeredSinceIdle > 0) this.#learnFromLoss(session, unanswered, ending, stage);
    else if (found !== undefined) {
      this.#requeue(unanswered);
      this.#pause(found, stage);
    } else this.#blame(unanswered, ending, stage);
  }

  /** The host answered some and then hung up: it bears that many on a connection, and the rest go on another. */
  #learnFromLoss(
    session: SmtpSession<Job>,
    unanswered: Job[],
    ending: SessionEnding,
    stage: EvidenceStage,
  ): void {
    if (ending.kind === 'timeout') {
      this.#blame(unanswered.slice(0, 1), ending, stage);
      this.#requeue(unanswered.slice(1));
      return;
    }
    this.#recipientsPerConnection = Math.min(this.#recipientsPerConnection, session.answeredCount);
    if (ending.kind === 'lost') {
      this.#blame(unanswered.slice(0, 1), ending, stage);
      this.#requeue(unanswered.slice(1));
    } else this.#requeue(unanswered);
  }

  /** Nobody knows which question made the host fall silent or hang up: ask once more, one at a time. */
  #blame(unanswered: Job[], ending: SessionEnding, stage: EvidenceStage): void {
    const reason = reasonOfEnding(ending);
    this.#recipientsMax = 1;
    this.#isRecipientLimitKnown = true;
    this.#losses += 1;
    const isHopeless = this.#losses > lossesMax;
    for (const job of unanswered) {
      job.lostCount += 1;
      const isSecondLoss =
        job.lostCount >= lossesMax || (ending.kind === 'timeout' && unanswered.length === 1);
      if (isSecondLoss || isHopeless) this.#services.owner.onHostFailed(job, reason, stage);
      else this.#queue.add(job);
    }
    if (isHopeless) this.#goDown(reason, stage);
  }

  #requeue(jobs: Job[]): void {
    for (const job of jobs) this.#queue.add(job);
  }

  #goDown(reason: Reason, stage: EvidenceStage): void {
    this.#down = { reason, stage, until: this.#now() + downMs };
    this.#losses = 0;
    for (const job of this.#queue.drain()) this.#services.owner.onHostFailed(job, reason, stage);
    this.#abandonAcquiring();
  }

  #noteProgress(): void {
    this.#strikes = 0;
    this.#losses = 0;
  }

  #readyCount(): number {
    let count = 0;
    for (const session of this.#sessions.keys()) if (session.isReady && !session.isLeaving) count += 1;
    return count;
  }

  #stageOf(
    session: SmtpSession<Job>,
    stage: 'rcpt' | 'sender',
    code: number,
    text: string,
    rule: string,
  ): EvidenceStage {
    return {
      stage,
      host: this.name,
      ip: session.ip,
      reply: quoteReply(code, text),
      ms: session.readAt - session.askedAt,
      rule,
    };
  }

  #stageOfEnding(session: SmtpSession<Job>, ending: SessionEnding, rule: string | undefined): EvidenceStage {
    const since = session.isReady ? session.askedAt : session.startedAt;
    const base = { host: this.name, ip: session.ip, ms: this.#now() - since };
    if (ending.kind === 'reply') {
      const reply = quoteReply(ending.code, ending.text);
      return { stage: visibleStage(ending.stage), ...base, reply, ...(rule !== undefined && { rule }) };
    }
    const stage =
      ending.kind === 'timeout' ? visibleStage(ending.stage) : session.isReady ? 'rcpt' : 'connect';
    return { stage, ...base, note: noteOfEnding[ending.kind] };
  }

  #now(): number {
    return this.#services.settings.clock.now();
  }
}

const noteOfEnding: Record<Exclude<SessionEnding['kind'], 'reply'>, string> = {
  forbidden: 'only private or reserved addresses, not dialled',
  refused: 'connection refused',
  connect_timeout: 'no connection in time',
  lost: 'connection closed by the host',
  protocol: 'not SMTP',
  tls: 'encryption failed',
  tls_demanded: 'encryption demanded',
  timeout: 'no answer in time',
  quit: 'ended by us',
  aborted: 'cancelled',
};

function reasonOfEnding(ending: SessionEnding): Reason {
  switch (ending.kind) {
    case 'forbidden':
      return 'mail_host_forbidden';
    case 'refused':
      return 'connection_refused';
    case 'connect_timeout':
      return 'connection_timeout';
    case 'timeout':
      return 'reply_timeout';
    case 'protocol':
      return 'protocol_error';
    case 'tls':
    case 'tls_demanded':
      return 'tls_failed';
    case 'reply':
      return 'sender_refused';
    default:
      return 'connection_lost';
  }
}

const earlyStage = (stage: string): 'greeting' | 'hello' | 'sender' =>
  stage === 'greeting' ? 'greeting' : stage === 'sender' ? 'sender' : 'hello';

const classifyFarewell = (stage: string, code: number, text: string): ReplyClass =>
  stage === 'rcpt' ? classifyReply(code, text) : classifyEarlyReply(earlyStage(stage), code, text);

function visibleStage(stage: string): EvidenceStage['stage'] {
  switch (stage) {
    case 'greeting':
    case 'hello':
    case 'tls':
    case 'sender':
    case 'rcpt':
      return stage;
    default:
      return 'connect';
  }
}
