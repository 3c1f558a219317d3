import type { EvidenceStage } from '../evidence.ts';
import { classifyEarlyReply, createReplyClassifier, type ReplyClass } from '../judgement/classify-reply.ts';
import type { Reason } from '../judgement/reasons.ts';
import type { SessionEnding } from '../smtp/session.ts';
import type { Agenda } from './agenda.ts';
import { FairQueue } from './fair-queue.ts';
import {
  type ConnectionServices,
  type ConnectionsOwner,
  HostConnections,
  type JobSession,
} from './host-connections.ts';
import type { MailPlace } from './host-permits.ts';
import type { Job, JobPlace } from './job.ts';
import { readFailure, type SessionFailure, stageOfReply } from './session-failure.ts';

/** What a pool reports to; the engine behind it decides what becomes of a job. */
export interface PoolOwner {
  onAccepted(pool: HostPool, job: Job, session: JobSession, code: number, text: string): void;
  onReply(pool: HostPool, job: Job, found: ReplyClass, stage: EvidenceStage, session: JobSession): void;
  /** The host cannot take such a name at all. */
  onNameUnsupported(job: Job, session: JobSession): void;
  /** The host will not answer; the job goes on to the next, if there is one. */
  onHostFailed(job: Job, reason: Reason, stage: EvidenceStage): void;
  /** The host rests for a while. Whether the job waits at it; if not, the job is no longer the pool's. */
  waitsUntil(job: Job, time: number, isRepeated: boolean): boolean;
  onHeldOff(job: Job, found: ReplyClass, afterMs: number, stage: EvidenceStage): void;
  /** This pool wants connections and has to wait for them, or no longer has to. */
  onShortOfPermits(pool: HostPool, isShort: boolean): void;
  /** Whether another pool waits for its first connection. */
  isCrowded(pool: HostPool): boolean;
  /** Whether a connection with nothing to do is worth keeping for a moment. */
  mayRest(pool: HostPool): boolean;
  onConnectionGone(): void;
}

export interface PoolServices extends ConnectionServices {
  agenda: Agenda;
  owner: PoolOwner;
  limits: ConnectionServices['limits'] & { recipientsPerTransaction: number };
}

const recipientsAtFirst = 50;
// A new connection costs three round trips, during which the others work on: it pays when they have more than these before them.
const roundTripsWorthAConnection = 2;
const recipientsWorthAConnectionUnpipelined = 12;
// With others waiting for a connection, ours goes to them after this many.
const recipientsInATurn = 200;
const downMs = 30_000;
const pauseFirstMs = 500;
const pauseMaxMs = 60_000;
const troublesMax = 2;
const connectionsRegrowMs = 60_000;
/** The stage for those who want no evidence. */
const unrecorded: EvidenceStage = { stage: 'rcpt' };

/**
 * What waits for one mail host, and what was learned of it. It starts with one connection and a short transaction, grows
 * while the host answers, and shrinks to what the host shows it will bear.
 */
export class HostPool implements ConnectionsOwner, JobPlace {
  readonly place: MailPlace;
  readonly name: string;
  readonly #services: PoolServices;
  readonly #queue = new FairQueue();
  readonly #connections: HostConnections;
  readonly #classify = createReplyClassifier();
  #recipientsMax: number;
  #isRecipientLimitKnown = false;
  #recipientsPerConnection = Number.POSITIVE_INFINITY;
  #hasPipelining = true;
  #pausedUntil = 0;
  /** Pauses in a row without an answer between them. */
  #pauses = 0;
  /** Conversations lost in a row without an answer between them. */
  #losses = 0;
  #down: { reason: Reason; stage: EvidenceStage; until: number } | undefined;
  #isPumpDue = false;

  constructor(name: string, ips: readonly string[], place: MailPlace, services: PoolServices) {
    this.name = name;
    this.place = place;
    this.#services = services;
    this.#connections = new HostConnections(place, { host: name, ips }, services, this);
    this.#recipientsMax = Math.min(recipientsAtFirst, services.limits.recipientsPerTransaction);
  }

  /** Nothing waits, nothing is connected, and nothing was learned that must not be forgotten yet. */
  get isForgettable(): boolean {
    const now = this.#now();
    const isCalm = this.#pausedUntil < now && (this.#down?.until ?? 0) < now;
    return isCalm && this.#queue.size === 0 && this.#connections.isQuiet;
  }

  get connectionCount(): number {
    return this.#connections.count;
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
    this.#connections.abortUnwanted();
    if (this.#queue.size === 0) this.#connections.abandonOpening();
    this.#pumpSoon();
  }

  closeIdle(): void {
    this.#connections.closeIdle();
  }

  close(): void {
    this.#queue.drain();
    this.#connections.close();
  }

  abort(): void {
    this.#queue.drain();
    this.#connections.abort();
  }

  hasWork(): boolean {
    return this.#queue.size > 0;
  }

  mayRest(): boolean {
    return this.#services.owner.mayRest(this);
  }

  onShortOfPermits(isShort: boolean): void {
    this.#services.owner.onShortOfPermits(this, isShort);
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
    if (this.#pausedUntil <= this.#now()) {
      while (this.#queue.size > 0) {
        const session = this.#nextSession();
        if (session === undefined) break;
        const room = Math.min(this.#recipientsMax, this.#recipientsPerConnection - session.askedCount);
        const batch = this.#queue.take(room);
        if (batch.length > 0) this.#ask(session, batch);
      }
      if (this.#queue.size > 0) {
        this.#connections.open(this.#connectionsWanted());
        return;
      }
    }
    this.#connections.rest();
  }

  #ask(session: JobSession, batch: Job[]): void {
    if (batch[0]?.needsUtf8 && !session.hasSmtpUtf8) {
      for (const job of batch) this.#services.owner.onNameUnsupported(job, session);
      return;
    }
    this.#connections.wake(session);
    session.ask(batch);
    const isTurnOver = session.askedCount >= recipientsInATurn && this.#services.owner.isCrowded(this);
    if (isTurnOver) this.#connections.spend(session);
  }

  /** A connection to which a transaction can be given now. */
  #nextSession(): JobSession | undefined {
    for (;;) {
      const session = this.#connections.freest();
      if (session === undefined) return undefined;
      if (session.askedCount >= this.#recipientsPerConnection) {
        this.#connections.spend(session);
        continue;
      }
      if (session.outstanding === 0) return session;
      // A second transaction may follow the first in the pipe, but not for a handful of recipients; a whole one ahead of the
      // answers only where some have come already.
      const isWorthIt = session.hasPipelining && this.#queue.size >= this.#recipientsMax / 2;
      const aheadMax = session.answeredCount > 0 ? this.#recipientsMax : this.#recipientsMax / 2;
      return isWorthIt && session.outstanding <= aheadMax ? session : undefined;
    }
  }

  #connectionsWanted(): number {
    const perConnection = this.#hasPipelining
      ? this.#recipientsMax * roundTripsWorthAConnection
      : recipientsWorthAConnectionUnpipelined;
    return Math.ceil(this.#queue.size / Math.min(perConnection, this.#recipientsPerConnection));
  }

  onReady(session: JobSession): void {
    this.#hasPipelining = session.hasPipelining;
    this.#down = undefined;
    this.#connections.grow();
    this.#pump();
  }

  onRead(session: JobSession): void {
    if (session.outstanding === 0) {
      const grown = Math.min(this.#recipientsMax * 2, this.#services.limits.recipientsPerTransaction);
      if (!this.#isRecipientLimitKnown) this.#recipientsMax = grown;
      if (this.#connections.isSpent(session)) session.quit();
    }
    this.#pump();
  }

  onAnswer(session: JobSession, job: Job, code: number, text: string): void {
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
      return;
    }
    const isTrouble = found.meaning === 'new_transaction' || found.meaning === 'slow_down';
    const isSeen = isTrouble || job.client.wantsEvidence;
    const stage = isSeen ? stageOfReply(session, 'rcpt', { code, text, rule: found.rule }) : unrecorded;
    if (isTrouble) this.#onSlowDown(session, job, found, stage);
    else {
      this.#noteProgress();
      this.#services.owner.onReply(this, job, found, stage, session);
    }
  }

  onSenderRefused(session: JobSession, job: Job, code: number, text: string): void {
    const found = classifyEarlyReply('sender', code, text);
    const stage = stageOfReply(session, 'sender', { code, text, rule: found.rule });
    if (found.meaning === 'slow_down') this.#onSlowDown(session, job, found, stage);
    else if (found.meaning === 'ask_later') this.#services.owner.onReply(this, job, found, stage, session);
    else this.#services.owner.onHostFailed(job, found.reason, stage);
  }

  #onSlowDown(session: JobSession, job: Job, found: ReplyClass, stage: EvidenceStage): void {
    this.#queue.add(job);
    if (this.#connections.isSpent(session)) return;
    if (found.rule === 'too-many-bad-recipients' && session.answeredCount > 0) {
      // This connection has had its fill of wrong names; a new one starts afresh.
      this.#recipientsPerConnection = Math.min(this.#recipientsPerConnection, session.answeredCount);
      this.#connections.spend(session);
      return;
    }
    this.#recipientsMax = Math.max(1, this.#recipientsMax >> 1);
    this.#pause(found, stage);
  }

  onHostRests(forMs: number): void {
    const found: ReplyClass = { meaning: 'slow_down', reason: 'throttled', rule: 'told-elsewhere' };
    const stage: EvidenceStage = { stage: 'connect', host: this.name, note: 'asked to be left alone' };
    this.#rest(forMs, found, stage);
  }

  /** Leaves the host alone for the time it names, or for longer each time. */
  #pause(found: ReplyClass, stage: EvidenceStage): void {
    if (this.#pausedUntil > this.#now()) return;
    const forMs = found.retryAfterMs ?? Math.min(pauseFirstMs * 2 ** this.#pauses, pauseMaxMs);
    this.#services.permits.holdOff?.(this.place, forMs);
    this.#rest(forMs, found, stage);
  }

  #rest(forMs: number, found: ReplyClass, stage: EvidenceStage): void {
    const now = this.#now();
    if (this.#pausedUntil > now) return;
    this.#pauses += 1;
    this.#connections.startOver();
    this.#pausedUntil = now + forMs;
    const { owner, agenda } = this.#services;
    agenda.at(this.#pausedUntil, () => this.#pump());
    const isRepeated = this.#pauses > troublesMax;
    const leaving = this.#queue.drain((job) => !owner.waitsUntil(job, this.#pausedUntil, isRepeated));
    for (const job of leaving) owner.onHeldOff(job, found, forMs, stage);
  }

  onEnd(session: JobSession, ending: SessionEnding, unanswered: Job[]): void {
    this.#connections.onEnd(session);
    this.#services.owner.onConnectionGone();
    if (ending.kind !== 'quit' && ending.kind !== 'aborted') {
      const failure = readFailure(session, ending, this.#now());
      const wanted = unanswered.filter((job) => !job.client.isCancelled);
      if (session.isReady) this.#onConversationLost(session, ending, wanted, failure);
      else this.#onConnectionFailed(ending, failure);
    }
    if (this.#queue.size > 0) this.#pumpSoon();
  }

  #onConnectionFailed(ending: SessionEnding, failure: SessionFailure): void {
    if (ending.kind === 'tls' && this.#connections.encryption === 'offered') {
      // What was offered does not work; the conversation needs no secrecy, so it is tried in the clear.
      this.#connections.encryption = 'never';
      return;
    }
    const others = this.#connections.readyCount;
    if (others > 0) {
      // The host talks to us on other connections: it only wants no more of them.
      this.#connections.limitTo(others);
      this.#services.agenda.at(this.#now() + connectionsRegrowMs, () => this.#connections.limitTo(undefined));
      return;
    }
    const { farewell } = failure;
    if (farewell !== undefined && farewell.meaning !== 'no_answer') this.#pause(farewell, failure.stage);
    else if (ending.kind !== 'lost' || ++this.#losses >= troublesMax) this.#goDown(failure);
  }

  #onConversationLost(
    session: JobSession,
    ending: SessionEnding,
    unanswered: Job[],
    failure: SessionFailure,
  ): void {
    if (ending.kind === 'tls_demanded') this.#connections.encryption = 'always';
    const isFinal = ending.kind === 'tls' || ending.kind === 'protocol';
    // It was closed while it rested, just as we spoke.
    const isStale = session.answeredSinceIdle === 0 && session.answeredCount > 0 && ending.kind !== 'timeout';
    if (unanswered.length === 0 || isStale || ending.kind === 'tls_demanded') this.#requeue(unanswered);
    else if (isFinal || failure.farewell?.meaning === 'no_answer') {
      this.#requeue(unanswered);
      this.#goDown(failure);
    } else if (session.answeredSinceIdle > 0) this.#learnFromLoss(session, ending, unanswered, failure);
    else if (failure.farewell !== undefined) {
      this.#requeue(unanswered);
      this.#pause(failure.farewell, failure.stage);
    } else this.#blame(unanswered, ending, failure);
  }

  /** The host answered some and then stopped: what it bears on a connection, or one question that it cannot bear. */
  #learnFromLoss(
    session: JobSession,
    ending: SessionEnding,
    unanswered: Job[],
    failure: SessionFailure,
  ): void {
    if (ending.kind !== 'timeout') {
      this.#recipientsPerConnection = Math.min(this.#recipientsPerConnection, session.answeredCount);
    }
    const blamed = ending.kind === 'reply' ? 0 : 1;
    this.#requeue(unanswered.slice(blamed));
    this.#blame(unanswered.slice(0, blamed), ending, failure);
  }

  /** Nobody knows which question made the host fall silent or hang up: ask once more, one at a time. */
  #blame(blamed: Job[], ending: SessionEnding, failure: SessionFailure): void {
    if (blamed.length === 0) return;
    this.#recipientsMax = 1;
    this.#isRecipientLimitKnown = true;
    this.#losses += 1;
    const isHopeless = this.#losses > troublesMax;
    for (const job of blamed) {
      job.lostCount += 1;
      const isProved = job.lostCount >= troublesMax || (ending.kind === 'timeout' && blamed.length === 1);
      if (isProved || isHopeless) this.#services.owner.onHostFailed(job, failure.reason, failure.stage);
      else this.#queue.add(job);
    }
    if (isHopeless) this.#goDown(failure);
  }

  #requeue(jobs: Job[]): void {
    for (const job of jobs) this.#queue.add(job);
  }

  #goDown({ reason, stage }: SessionFailure): void {
    this.#down = { reason, stage, until: this.#now() + downMs };
    this.#losses = 0;
    for (const job of this.#queue.drain()) this.#services.owner.onHostFailed(job, reason, stage);
    this.#connections.abandonOpening();
  }

  #noteProgress(): void {
    this.#pauses = 0;
    this.#losses = 0;
  }

  #now(): number {
    return this.#services.settings.clock.now();
  }
}
