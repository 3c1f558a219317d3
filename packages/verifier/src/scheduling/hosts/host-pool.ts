import { connectionNeededNote, type EvidenceStage, noConnectionNote } from '../../evidence.ts';
import type { SessionEnding } from '../../smtp/session-types.ts';
import type { Job, JobPlace, JobSession, MailDomain } from '../jobs/job.ts';
import { ControlQuestions } from './control-questions.ts';
import { FairQueue } from './fair-queue.ts';
import { type ConnectionsOwner, HostConnections, type SilentConnection } from './host-connections.ts';
import { HostLosses } from './host-losses.ts';
import { HostManners } from './host-manners.ts';
import type { MailPlace } from './host-permits.ts';
import { HostProgress } from './host-progress.ts';
import { HostReplies } from './host-replies.ts';
import { HostRests } from './host-rests.ts';
import { OwnLimits } from './own-limits.ts';
import type { HostPause, NeighbourPool, PoolParts, PoolServices } from './pool-services.ts';
import { type Provider, unknownLimitOf } from './providers.ts';

// When other pools wait for a connection, one of ours goes to them after this many recipients.
const recipientsInATurn = 200;
/** What the owner of a domain wants is looked at again for questions that go out later than this. */
const admittedForMs = 1_000;
// With PIPELINING the connections need not share the work equally, so we do not add it up for each transaction.
const notShared = { recipientCount: 0, connectionCount: 0 };

/**
 * The queue of one mail host: gives waiting jobs to its connections, as the host's manners allow. Its other parts read
 * replies (`HostReplies`), handle lost connections (`HostLosses`), leave the host alone when it asks for that
 * (`HostRests`), and ask controls on the connection they belong to (`ControlQuestions`).
 */
export class HostPool implements ConnectionsOwner, JobPlace, NeighbourPool {
  readonly place: MailPlace;
  readonly name: string;
  acceptedAt = 0;
  readonly #services: PoolServices;
  readonly #queue = new FairQueue();
  readonly #manners: HostManners;
  readonly #connections: HostConnections;
  readonly #progress: HostProgress;
  readonly #gate: PoolParts['gate'];
  readonly #ownLimits: OwnLimits;
  readonly #controls: ControlQuestions;
  readonly #rests: HostRests;
  readonly #replies: HostReplies;
  readonly #losses: HostLosses;
  /** The first job of the latest transaction on each connection. */
  readonly #lastAsked = new WeakMap<JobSession, Job>();
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
    this.#services = services;
    const manners = new HostManners(services.limits, provider);
    const connections = new HostConnections(place, { host: name, ips }, manners, services, this);
    const progress = new HostProgress(services.clock, () => this.#losses.onStalled());
    const gate = services.governor.gateOf(provider.name, unknownLimitOf(provider));
    const parts = {
      name,
      place,
      provider,
      gate,
      services,
      queue: this.#queue,
      manners,
      connections,
      progress,
    };
    this.#gate = gate;
    this.#ownLimits = new OwnLimits(parts, gate, this.#onRoom);
    this.#manners = manners;
    this.#connections = connections;
    this.#progress = progress;
    this.#controls = new ControlQuestions(parts, {
      ask: (session, jobs) => this.#ask(session, jobs),
      pumpSoon: () => this.pumpSoon(),
      limitedAnswer: () => this.#ownLimits.controlAnswer,
      waitForRoom: () => this.#ownLimits.wait(),
      onLimited: (job, session, { found, stage }) => services.owner.onReply(this, job, found, stage, session),
    });
    this.#rests = new HostRests(parts, () => this.#pump());
    this.#replies = new HostReplies(this, parts, this.#rests, this.#controls);
    this.#losses = new HostLosses(this, parts, this.#rests);
  }

  /** Nothing waits, nothing is connected, and the host needs no rest that we must remember. */
  get isForgettable(): boolean {
    const isWaitedFor = this.#queue.size > 0 || !this.#controls.isEmpty;
    return this.#manners.isCalm(this.#now()) && !isWaitedFor && this.#connections.isQuiet;
  }

  get connectionCount(): number {
    return this.#connections.count;
  }

  add(job: Job): void {
    if (job.client.isCancelled) return;
    if (job.probe !== undefined && job.streak !== undefined) {
      this.#controls.ask(job, job.streak.connection);
      return;
    }
    const failure = this.#manners.downFailure(this.#now());
    if (failure !== undefined) {
      this.#services.owner.onHostFailed(job, failure.reason, failure.stage);
      return;
    }
    if (this.#rests.turnsAway(job) || this.#ownLimits.turnsAway(job)) return;
    // Time that earlier addresses used up does not count for a new one.
    const isFirst = this.#queue.size === 0 && this.#connections.count === 0;
    if (isFirst && job.probe === undefined && job.transaction === undefined) this.#progress.restart();
    this.#queue.add(job);
    this.pumpSoon();
  }

  hasRoomForControl(connection: JobSession): boolean {
    return this.#manners.hasRoomForControl(connection);
  }

  /** Leaves the host alone, unless it already rests for longer. */
  rest(pause: HostPause): void {
    this.#rests.rest(pause);
  }

  /** Drops cancelled jobs and the connections that served only them. */
  dropCancelled(): void {
    this.#queue.removeWhere((job) => job.client.isCancelled);
    this.#controls.dropCancelled();
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

  areAllDelayed(): boolean {
    return !this.#queue.some((job) => !job.hasMetSilence);
  }

  /** The host stayed silent then, perhaps to another process. */
  noteSilence(time: number): void {
    this.#manners.noteSilence(time);
  }

  onPermitLate(customer: string): void {
    if (this.#connections.count > 0) return;
    const { owner } = this.#services;
    const stage: EvidenceStage = { stage: 'connect', host: this.name, note: noConnectionNote };
    // Addresses of lists wait on: a long list may have more hosts than connections, and its patience must not begin for that.
    const isLate = ({ client }: Job) => client.isUrgent && client.customer === customer;
    for (const job of this.#queue.removeWhere(isLate))
      owner.deferUnasked(this, job, 'no-free-connection', stage);
  }

  longestSilent(customer: string): SilentConnection | undefined {
    return this.#connections.longestSilent(customer);
  }

  /** Closes a connection to this silent host, and defers what was asked on it. Addresses of lists that only wait go on waiting, as above. */
  closeSilent(session: JobSession, customer: string): void {
    const { owner } = this.#services;
    const stage: EvidenceStage = {
      stage: session.isReady ? 'rcpt' : 'connect',
      host: this.name,
      ip: session.ip,
      note: connectionNeededNote,
    };
    const isTheirs = ({ client }: Job) => client.customer === customer;
    const pending = [...session.pending()];
    const isDeferred = (job: Job) => isTheirs(job) && job.client.isUrgent;
    const waiting = this.#connections.count > 1 ? [] : this.#queue.removeWhere(isDeferred);
    session.abort();
    for (const job of [...pending, ...waiting]) {
      if (isTheirs(job)) owner.deferUnasked(this, job, 'no-free-connection', stage);
      else this.add(job);
    }
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
    if (!this.#controls.isEmpty) this.#controls.askAll();
    if (!this.#manners.isPaused(this.#now())) {
      if (this.#connections.count > 0) this.#progress.run();
      this.#askFreeConnections();
      if (this.#queue.size > 0 && this.#openMore()) return;
    }
    this.#connections.rest();
  }

  /** There may be room within our own limits again. */
  readonly #onRoom = (): void => this.pumpSoon();

  #askFreeConnections(): void {
    while (this.#queue.size > 0) {
      const session = this.#nextSession();
      if (session === undefined) return;
      const fitting = this.#manners.roomOn(session, session.hasPipelining ? notShared : this.#work());
      const room = this.#ownLimits.room(fitting);
      if (room < 1) return;
      // A transaction of a few recipients costs almost as much as a full one.
      const isMoreComing = session.hasPipelining && this.#services.owner.isMoreComing();
      const min = isMoreComing ? room >> 1 : 1;
      const batch = this.#queue.take(room, {
        stay: this.#stayOn(session),
        min,
        roomOf: this.#ownLimits.roomOf,
      });
      if (batch.length === 0) {
        if (isMoreComing) this.#services.neighbours.onHeldBack(this);
        return;
      }
      this.#ask(session, batch);
    }
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
   * Whether the questions continue the current transaction. Some hosts refuse any second recipient, so this one must have
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

  /** Opens connections for what may be asked now; says whether that is anything. */
  #openMore(): boolean {
    const room = this.#ownLimits.room(this.#queue.size);
    const customers = room > 0 ? this.#ownLimits.customersWithRoom : [];
    if (room < 1 || this.#ownLimits.isShortForSome) this.#ownLimits.wait();
    if (customers.length > 0) this.#connections.open(this.#manners.connectionsFor(room), customers);
    // Connections that wait for room have nothing to answer.
    else if (this.#connections.outstanding === 0) this.#progress.stop();
    return customers.length > 0;
  }

  #ask(session: JobSession, questions: Job[]): void {
    const batch = this.#services.owner.admit(this, questions);
    if (batch.length === 0) return;
    if (batch[0]?.needsUtf8 && !session.hasSmtpUtf8) {
      for (const job of batch) this.#services.owner.onNameUnsupported(job, session);
      return;
    }
    this.#connections.wake(session);
    const isContinued = this.#isContinued(session, batch);
    const size = batch.length + (isContinued ? session.answeredInTransaction : 0);
    const transaction = { askedAt: this.#now(), size, openCount: batch.length };
    for (const job of batch) {
      job.transaction = transaction;
    }
    this.#gate.take(batch.length);
    session.ask(batch, { isContinued });
    this.#lastAsked.set(session, batch[0] as Job);
    const isTurnOver = session.askedCount >= recipientsInATurn && this.#services.neighbours.isCrowded(this);
    if (isTurnOver) this.#connections.spend(session);
  }

  #bill({ client: { bill }, probe }: Job): void {
    if (bill === undefined) return;
    const { provider } = this.place;
    bill.note(provider, 'questions');
    if (probe !== undefined) bill.note(provider, probe.stage === 'proof' ? 'proofs' : 'controls');
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

  onOpening(): void {
    this.#progress.run();
  }

  onGreeting(): void {
    this.#manners.onGreeting();
    this.#openMore();
  }

  onReady(session: JobSession): void {
    this.#manners.onReady(session.hasPipelining, this.#now());
    this.#pump();
  }

  onRead(session: JobSession): void {
    if (session.outstanding === 0) this.#manners.onAllAnswered(session);
    // First, since the answers may lead to a question that only this connection can answer.
    this.#services.owner.onRead();
    if (session.outstanding === 0 && this.#connections.isSpent(session)) session.quit();
    this.#pump();
  }

  onSending(_session: JobSession, job: Job): boolean {
    const askedAt = job.transaction?.askedAt ?? 0;
    if (this.#now() - askedAt > admittedForMs && !this.#services.owner.mayStillAsk(job)) return false;
    this.#bill(job);
    return true;
  }

  onWithdrawn(session: JobSession, job: Job): void {
    this.#gate.giveBack();
    this.#replies.onWithdrawn(session, job);
    this.add(job);
  }

  onAnswer(session: JobSession, job: Job, code: number, text: string): void {
    this.#replies.onAnswer(session, job, code, text);
  }

  onSenderRefused(session: JobSession, job: Job, code: number, text: string): void {
    this.#replies.onSenderRefused(session, job, code, text);
  }

  onHostRests(forMs: number): void {
    this.#rests.startForOthers(forMs);
  }

  onEnd(session: JobSession, ending: SessionEnding, unanswered: Job[]): void {
    this.#gate.drop(unanswered.length);
    this.#connections.onEnd(session);
    if (this.#connections.count === 0) this.#progress.stop();
    this.#services.owner.onRead();
    this.#services.owner.onConnectionGone(session);
    this.#services.neighbours.onConnectionGone();
    this.#losses.onEnd(session, ending, unanswered);
    if (this.#queue.size > 0) this.pumpSoon();
  }

  #now(): number {
    return this.#services.clock.now();
  }
}
