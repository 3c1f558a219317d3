import type { EvidenceStage } from '../evidence.ts';
import { classifyEarlyReply, createReplyClassifier, type ReplyClass } from '../judgement/classify-reply.ts';
import type { Reason } from '../judgement/reasons.ts';
import type { SessionEnding } from '../smtp/session-types.ts';
import type { Agenda } from './agenda.ts';
import { attemptsMax } from './deferral.ts';
import { FairQueue } from './fair-queue.ts';
import { type ConnectionServices, type ConnectionsOwner, HostConnections } from './host-connections.ts';
import { HostManners, type MannersLimits, troublesMax } from './host-manners.ts';
import type { MailPlace } from './host-permits.ts';
import type { Job, JobPlace, JobSession, MailDomain } from './job.ts';
import type { Provider } from './providers.ts';
import { readFailure, remedyFor, type SessionFailure, stageOfReply } from './session-failure.ts';

/** The engine, which decides what happens to a job. */
export interface PoolOwner {
  onAccepted(pool: HostPool, job: Job, session: JobSession, code: number, text: string): void;
  onReply(pool: HostPool, job: Job, found: ReplyClass, stage: EvidenceStage, session: JobSession): void;
  /** Everything that a connection said in one go has been handed out. */
  onRead(): void;
  /** All recipients of a transaction, which are of this domain, have an answer. */
  onTransactionOver(session: JobSession, domain: MailDomain): void;
  onConnectionGone(session: JobSession): void;
  /** Whether more addresses arrive within this turn or the next ones. */
  isMoreComing(): boolean;
  /** The host cannot take such a name at all. */
  onNameUnsupported(job: Job, session: JobSession): void;
  /** The host will not answer; the job goes on to the next host, if there is one. */
  onHostFailed(job: Job, reason: Reason, stage: EvidenceStage): void;
  /** The host rests until then. Says whether the job stays in its queue. */
  waitsUntil(job: Job, time: number, isRepeated: boolean): boolean;
  /** The host rests and the job does not wait for it. */
  onHeldOff(job: Job, found: ReplyClass, afterMs: number, stage: EvidenceStage): void;
}

/** The pools of the other hosts, with which a pool shares permits. */
export interface PoolNeighbours {
  /** This pool has to wait for permits, or no longer has to. */
  onShortOfPermits(pool: HostPool, isShort: boolean): void;
  /** Whether another pool waits for its first connection. */
  isCrowded(pool: HostPool): boolean;
  /** Whether a connection with nothing to do is worth keeping for a moment. */
  mayRest(pool: HostPool): boolean;
  onConnectionGone(): void;
  /** This pool does not ask about a few addresses yet, because more arrive. */
  onHeldBack(pool: HostPool): void;
  /** All hosts of this provider are to be left alone. */
  onProviderRests(provider: string, rest: HostPause): void;
}

/** Why a host is left alone, and until when. */
export interface HostPause {
  readonly until: number;
  readonly found: ReplyClass;
  readonly stage: EvidenceStage;
}

export interface PoolServices extends ConnectionServices {
  agenda: Agenda;
  owner: PoolOwner;
  neighbours: PoolNeighbours;
  /** The sender and the HELO name that we give. */
  ourNames: readonly string[];
  limits: ConnectionServices['limits'] & MannersLimits;
}

// When other pools wait for a connection, one of ours goes to them after this many recipients.
const recipientsInATurn = 200;
const connectionsRegrowMs = 60_000;
const samePauseMs = 1_000;
/** The stage for clients that want no evidence. */
const unrecorded: EvidenceStage = { stage: 'rcpt' };

/** The queue of one mail host: gives waiting jobs to its connections, as the host's manners allow. */
export class HostPool implements ConnectionsOwner, JobPlace {
  readonly place: MailPlace;
  readonly name: string;
  acceptedAt = 0;
  readonly #services: PoolServices;
  readonly #queue = new FairQueue();
  readonly #manners: HostManners;
  readonly #connections: HostConnections;
  readonly #classify: ReturnType<typeof createReplyClassifier>;
  readonly #provider: Provider;
  /** Questions that only a certain connection may answer. */
  #controls: { job: Job; session: JobSession }[] = [];
  /** The first job of the latest transaction on each connection. */
  readonly #lastAsked = new WeakMap<JobSession, Job>();
  #pause: HostPause | undefined;
  #isPumpDue = false;

  constructor(
    name: string,
    ips: readonly string[],
    addresses: string,
    provider: Provider,
    services: PoolServices,
  ) {
    this.name = name;
    const place: MailPlace = { host: addresses, provider: provider.name };
    if (provider.connections !== undefined) place.providerConnections = provider.connections;
    this.place = place;
    this.#provider = provider;
    this.#services = services;
    this.#classify = createReplyClassifier(services.ourNames);
    this.#manners = new HostManners(services.limits, provider);
    this.#connections = new HostConnections(place, { host: name, ips }, this.#manners, services, this);
  }

  /** Nothing waits, nothing is connected, and the host needs no rest that we must remember. */
  get isForgettable(): boolean {
    const isWaitedFor = this.#queue.size > 0 || this.#controls.length > 0;
    return this.#manners.isCalm(this.#now()) && !isWaitedFor && this.#connections.isQuiet;
  }

  get connectionCount(): number {
    return this.#connections.count;
  }

  add(job: Job): void {
    if (job.client.isCancelled) return;
    if (job.probe !== undefined && job.streak !== undefined) {
      this.#controls.push({ job, session: job.streak.connection });
      this.#askControls();
      return;
    }
    const failure = this.#manners.downFailure(this.#now());
    if (failure !== undefined) {
      this.#services.owner.onHostFailed(job, failure.reason, failure.stage);
      return;
    }
    if (this.#pause !== undefined && this.#leavesForPause(job, this.#pause)) return;
    this.#queue.add(job);
    this.pumpSoon();
  }

  hasRoomForControl(connection: JobSession): boolean {
    return this.#manners.hasRoomForControl(connection);
  }

  /** Asks the questions that only a certain connection may answer. They wait for the end of a short pause. */
  #askControls(): void {
    const now = this.#now();
    const waits = this.#manners.isPaused(now) && !this.#manners.isPausedForLong(now);
    const controls = this.#controls;
    if (!waits) this.#controls = [];
    for (const { job, session } of controls) {
      if (waits) this.#connections.keep(session);
      else {
        this.#connections.wake(session);
        this.#askOn(session, job);
      }
    }
  }

  /** Asks on this connection, or not at all. */
  #askOn(session: JobSession, job: Job): void {
    const isOpen = session.isReady && !session.isLeaving && !this.#manners.isPaused(this.#now());
    if (isOpen && this.#manners.hasRoomForControl(session)) this.#ask(session, [job]);
    else {
      const stage = { ...session.evidence, note: 'the connection is gone' };
      this.#services.owner.onHostFailed(job, 'connection_lost', stage);
    }
  }

  /** Returns a new job at once if it does not wait for the end of the pause. */
  #leavesForPause(job: Job, { until, found, stage }: HostPause): boolean {
    const leftMs = until - this.#now();
    if (leftMs <= 0 || this.#services.owner.waitsUntil(job, until, false)) return false;
    this.#services.owner.onHeldOff(job, found, leftMs, stage);
    return true;
  }

  /** Drops cancelled jobs and the connections that served only them. */
  dropCancelled(): void {
    this.#queue.removeWhere((job) => job.client.isCancelled);
    this.#controls = this.#controls.filter(({ job }) => !job.client.isCancelled);
    this.#connections.abortUnwanted();
    if (this.#queue.size === 0) this.#connections.abandonOpening();
    this.pumpSoon();
  }

  closeIdle(): void {
    this.#connections.closeIdle();
  }

  close(): void {
    this.#queue.removeAll();
    this.#connections.close();
  }

  abort(): void {
    this.#queue.removeAll();
    this.#connections.abort();
  }

  hasWork(): boolean {
    return this.#queue.size > 0;
  }

  mayRest(): boolean {
    return this.#services.neighbours.mayRest(this);
  }

  onShortOfPermits(isShort: boolean): void {
    this.#services.neighbours.onShortOfPermits(this, isShort);
  }

  // Jobs arrive one by one within a turn of the event loop; at its end they share a transaction.
  pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    setImmediate(() => {
      this.#isPumpDue = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#controls.length > 0) this.#askControls();
    if (!this.#manners.isPaused(this.#now())) {
      while (this.#queue.size > 0) {
        const session = this.#nextSession();
        if (session === undefined) break;
        const room = this.#manners.roomOn(session, this.#work());
        // A transaction of a few recipients costs almost as much as a full one.
        const isMoreComing = session.hasPipelining && this.#services.owner.isMoreComing();
        const min = isMoreComing ? room >> 1 : 1;
        const batch = this.#queue.take(room, { stay: this.#stayOn(session), min });
        if (batch.length === 0) {
          if (isMoreComing) this.#services.neighbours.onHeldBack(this);
          break;
        }
        this.#ask(session, batch);
      }
      if (this.#queue.size > 0) {
        this.#openMore();
        return;
      }
    }
    this.#connections.rest();
  }

  /** Without PIPELINING a change of the domain costs two round trips. */
  #stayOn(session: JobSession) {
    const last = session.hasPipelining ? undefined : this.#lastAsked.get(session);
    if (last === undefined) return undefined;
    const served = new Set<MailDomain>();
    for (const other of this.#connections) {
      const domain = other === session ? undefined : this.#lastAsked.get(other)?.domain;
      if (domain !== undefined) served.add(domain);
    }
    return { domain: last.domain, served };
  }

  /**
   * Whether the questions go into the transaction at hand. Some hosts refuse any second recipient, so this one must have
   * accepted two.
   */
  #isContinued(session: JobSession, [first, ...others]: readonly Job[]): boolean {
    const last = session.hasPipelining ? undefined : this.#lastAsked.get(session);
    if (last === undefined || last.domain !== first?.domain || last.needsUtf8 !== first.needsUtf8)
      return false;
    const recipientCount = session.answeredInTransaction + session.outstanding + others.length + 1;
    return session.acceptedInTransaction > 1 && this.#manners.fitsTransaction(recipientCount);
  }

  #work() {
    const { outstanding, count } = this.#connections;
    return { recipientCount: this.#queue.size + outstanding, connectionCount: count };
  }

  #openMore(): void {
    this.#connections.open(this.#manners.connectionsFor(this.#queue.size));
  }

  #ask(session: JobSession, batch: Job[]): void {
    if (batch[0]?.needsUtf8 && !session.hasSmtpUtf8) {
      for (const job of batch) this.#services.owner.onNameUnsupported(job, session);
      return;
    }
    this.#connections.wake(session);
    const isContinued = this.#isContinued(session, batch);
    const size = batch.length + (isContinued ? session.answeredInTransaction : 0);
    const transaction = { askedAt: this.#now(), size, openCount: batch.length };
    for (const job of batch) job.transaction = transaction;
    session.ask(batch, { isContinued });
    this.#lastAsked.set(session, batch[0] as Job);
    const isTurnOver = session.askedCount >= recipientsInATurn && this.#services.neighbours.isCrowded(this);
    if (isTurnOver) this.#connections.spend(session);
  }

  /** A connection that can take a transaction now. */
  #nextSession(): JobSession | undefined {
    for (;;) {
      const session = this.#connections.freest();
      if (session === undefined) return undefined;
      if (this.#manners.isUsedUp(session)) {
        this.#connections.spend(session);
        continue;
      }
      const isFree = session.outstanding === 0 || this.#manners.mayAskAhead(session, this.#queue.size);
      return isFree ? session : undefined;
    }
  }

  onGreeting(): void {
    this.#manners.onGreeting();
    this.#openMore();
  }

  onReady(session: JobSession): void {
    this.#manners.onReady(session.hasPipelining);
    this.#pump();
  }

  onRead(session: JobSession): void {
    if (session.outstanding === 0) this.#manners.onAllAnswered(session);
    // First, since the answers may lead to a question that only this connection can answer.
    this.#services.owner.onRead();
    if (session.outstanding === 0 && this.#connections.isSpent(session)) session.quit();
    this.#pump();
  }

  onAnswer(session: JobSession, job: Job, code: number, text: string): void {
    this.#closeQuestion(session, job);
    if (code === 250) {
      this.#manners.onAnswer();
      this.#services.owner.onAccepted(this, job, session, code, text);
      return;
    }
    const found = this.#classify(code, text, job.mailbox);
    if (found.meaning === 'new_transaction' && session.answeredInTransaction > 0) {
      this.#manners.limitTransaction(session.answeredInTransaction);
      if (job.probe && job.streak) this.#askControlSoon(job, job.streak.connection);
      else this.#queue.add(job);
      return;
    }
    const isTrouble = found.meaning === 'new_transaction' || found.meaning === 'slow_down';
    const isSeen = isTrouble || job.client.wantsEvidence || this.#provider.restAfter !== undefined;
    const stage = isSeen ? stageOfReply(session, 'rcpt', { code, text, rule: found.rule }) : unrecorded;
    if (this.#restsProvider(text, found, stage)) this.#defer(job, found, stage);
    else if (isTrouble) this.#onSlowDown(session, job, found, stage);
    else {
      this.#manners.onAnswer();
      this.#services.owner.onReply(this, job, found, stage, session);
    }
  }

  #closeQuestion(session: JobSession, { domain, transaction }: Job): void {
    if (transaction === undefined) return;
    transaction.openCount -= 1;
    if (transaction.openCount === 0) this.#services.owner.onTransactionOver(session, domain);
  }

  onSenderRefused(session: JobSession, job: Job, code: number, text: string): void {
    this.#closeQuestion(session, job);
    const found = classifyEarlyReply('sender', code, text);
    const stage = stageOfReply(session, 'sender', { code, text, rule: found.rule });
    if (this.#restsProvider(text, found, stage)) this.#defer(job, found, stage);
    else if (found.meaning === 'slow_down') this.#onSlowDown(session, job, found, stage);
    else if (found.meaning === 'ask_later') this.#services.owner.onReply(this, job, found, stage, session);
    else this.#services.owner.onHostFailed(job, found.reason, stage);
  }

  #onSlowDown(session: JobSession, job: Job, found: ReplyClass, stage: EvidenceStage): void {
    this.#defer(job, found, stage);
    if (this.#connections.isSpent(session)) return;
    const isUsedUp = found.rule === 'too-many-bad-recipients' || found.meaning === 'new_transaction';
    if (isUsedUp && session.answeredCount > 0) {
      // Only this connection has had too many recipients or wrong names. A new one starts from zero.
      this.#manners.limitConnection(session.answeredCount);
      this.#connections.spend(session);
      return;
    }
    this.#manners.onSlowDown();
    this.#startPause(found, stage);
  }

  /** The host deferred this job, which waits for the next attempt if it may have one. */
  #defer(job: Job, found: ReplyClass, stage: EvidenceStage): void {
    job.deferralCount += 1;
    const session = job.probe && job.streak?.connection;
    if (session !== undefined && job.deferralCount <= troublesMax) this.#askControlSoon(job, session);
    else if (session === undefined && job.deferralCount < attemptsMax) this.add(job);
    else this.#services.owner.onHeldOff(job, found, 0, stage);
  }

  /** Asks in a turn of its own, when a pause has begun or the transaction is over. */
  #askControlSoon(job: Job, session: JobSession): void {
    this.#controls.push({ job, session });
    this.pumpSoon();
  }

  onHostRests(forMs: number): void {
    const found: ReplyClass = { meaning: 'slow_down', reason: 'throttled', rule: 'told-elsewhere' };
    const note = `asked to be left alone for ${Math.ceil(forMs / 1_000)} s`;
    this.rest({ until: this.#now() + forMs, found, stage: { stage: 'connect', host: this.name, note } });
  }

  /** Leaves the whole provider alone after a reply for which data/providers.json names a rest. */
  #restsProvider(text: string, found: ReplyClass, stage: EvidenceStage): boolean {
    if (found.meaning === 'accepted' || found.meaning === 'refused') return false;
    const rest = this.#provider.restAfter?.(text);
    if (rest === undefined) return false;
    const { permits, neighbours } = this.#services;
    permits.holdOff?.(this.place, rest.forMs, 'provider');
    const pause: HostPause = {
      until: this.#now() + rest.forMs,
      found: { meaning: 'slow_down', reason: found.reason, rule: found.rule },
      stage: { ...stage, limit: rest.limit },
    };
    neighbours.onProviderRests(this.#provider.name, pause);
    return true;
  }

  /** Leaves the host alone and informs the processes that share our permits. */
  #startPause(found: ReplyClass, stage: EvidenceStage): void {
    const now = this.#now();
    if (this.#manners.isPaused(now)) return;
    const forMs = this.#manners.pauseMs(found.retryAfterMs);
    this.#services.permits.holdOff?.(this.place, forMs, 'host');
    this.rest({ until: now + forMs, found, stage });
  }

  /** Leaves the host alone, unless it already rests for longer. */
  rest(pause: HostPause): void {
    const { until, found, stage } = pause;
    const now = this.#now();
    const forMs = until - now;
    // Several connections report the same rest, each a moment later.
    const isKnown = this.#manners.isPaused(now) && (this.#pause?.until ?? 0) + samePauseMs >= until;
    if (forMs <= 0 || isKnown) return;
    const { isRepeated } = this.#manners.pauseUntil(until);
    this.#pause = pause;
    const { owner, agenda } = this.#services;
    agenda.at(until, () => this.#pump());
    const leaving = this.#queue.removeWhere((job) => !owner.waitsUntil(job, until, isRepeated));
    for (const job of leaving) {
      // The host answers nobody, so this was an attempt even if the job itself was not asked about.
      if (isRepeated) job.deferralCount += 1;
      owner.onHeldOff(job, found, forMs, stage);
    }
  }

  onEnd(session: JobSession, ending: SessionEnding, unanswered: Job[]): void {
    this.#connections.onEnd(session);
    this.#services.owner.onRead();
    this.#services.owner.onConnectionGone(session);
    this.#services.neighbours.onConnectionGone();
    if (ending.kind !== 'quit' && ending.kind !== 'aborted') {
      const failure = readFailure(session, ending, this.#now());
      const wanted = unanswered.filter((job) => !job.client.isCancelled);
      if (ending.kind === 'reply' && failure.farewell !== undefined)
        this.#restsProvider(ending.text, failure.farewell, failure.stage);
      if (session.isReady) this.#onConversationLost(session, ending, wanted, failure);
      else this.#onConnectionFailed(ending, failure);
    }
    if (this.#queue.size > 0) this.pumpSoon();
  }

  #onConnectionFailed(ending: SessionEnding, failure: SessionFailure): void {
    if (ending.kind === 'tls' && this.#manners.encryption === 'offered') {
      // The host's encryption does not work. We send no secrets, so we try without.
      this.#manners.encryption = 'never';
      return;
    }
    const readyCount = this.#connections.readyCount;
    if (readyCount > 0) {
      // The host talks to us on other connections and only wants no more of them.
      this.#manners.limitConnections(readyCount);
      const liftLimit = () => this.#manners.limitConnections(undefined);
      this.#services.agenda.at(this.#now() + connectionsRegrowMs, liftLimit);
      return;
    }
    const { farewell } = failure;
    if (farewell !== undefined && farewell.meaning !== 'no_answer') this.#startPause(farewell, failure.stage);
    else if (ending.kind !== 'lost' || this.#manners.onConnectionLost().isHopeless) this.#goDown(failure);
  }

  #onConversationLost(
    session: JobSession,
    ending: SessionEnding,
    unanswered: Job[],
    failure: SessionFailure,
  ): void {
    if (ending.kind === 'tls_demanded') this.#manners.encryption = 'always';
    if (unanswered.length === 0) return;
    switch (remedyFor(ending.kind, failure.farewell, session, unanswered.length)) {
      case 'ask_again':
        this.#requeue(unanswered);
        break;
      case 'host_is_down':
        this.#requeue(unanswered);
        this.#goDown(failure);
        break;
      case 'limit_connection': {
        if (ending.kind !== 'timeout') this.#manners.limitConnection(session.answeredCount);
        if (ending.kind === 'reply') this.#requeue(unanswered);
        else this.#suspectFirst(unanswered, ending, failure);
        break;
      }
      case 'pause':
        this.#requeue(unanswered);
        if (failure.farewell !== undefined) this.#startPause(failure.farewell, failure.stage);
        break;
      case 'one_command_at_a_time':
        this.#manners.avoidPipelining(this.#now());
        this.#requeue(unanswered);
        break;
      case 'suspect':
        this.#suspectFirst(unanswered, ending, failure);
    }
  }

  /** The host fell silent or hung up instead of answering the first question: asks it once more, the others as before. */
  #suspectFirst(unanswered: Job[], ending: SessionEnding, failure: SessionFailure): void {
    const [suspect, ...others] = unanswered;
    if (suspect === undefined) return;
    const { isHopeless } = this.#manners.onConversationLost();
    suspect.lostCount += 1;
    if (isHopeless) this.#goDown(failure);
    this.#requeue(others);
    if (suspect.lostCount < troublesMax && ending.kind !== 'timeout') this.add(suspect);
    else this.#services.owner.onHostFailed(suspect, failure.reason, failure.stage);
  }

  #requeue(jobs: Job[]): void {
    for (const job of jobs) this.add(job);
  }

  #goDown(failure: SessionFailure): void {
    this.#manners.goDown(failure, this.#now());
    for (const job of this.#queue.removeAll()) {
      this.#services.owner.onHostFailed(job, failure.reason, failure.stage);
    }
    this.#connections.abandonOpening();
  }

  #now(): number {
    return this.#services.clock.now();
  }
}
