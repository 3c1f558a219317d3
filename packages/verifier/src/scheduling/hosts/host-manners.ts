import { isSilence } from '../../judgement/reasons.ts';
import type { SessionTarget } from '../../smtp/session-types.ts';
import type { Provider } from './providers.ts';
import type { SessionFailure } from './session-failure.ts';

export interface MannersLimits {
  readonly recipientsPerTransaction: number;
  readonly connectionsPerHost: number;
}

/** The counters of a connection that decide what it may be asked next. */
interface ConnectionLoad {
  readonly askedCount: number;
  readonly answeredCount: number;
  readonly outstanding: number;
  readonly hasPipelining: boolean;
}

/** All recipients that wait or are asked about, and the connections that share them. */
interface HostWork {
  readonly recipientCount: number;
  readonly connectionCount: number;
}

const recipientsAtFirst = 50;
// The first answers lead to proofs of catch-all, which wait for the end of a transaction.
const recipientsAtFirstUnpipelined = 10;
// A new connection costs three round trips. It pays when the open ones have more work than this before them.
const roundTripsWorthAConnection = 2;
const recipientsWorthAConnectionUnpipelined = 12;
// A host gets PIPELINING back after this time: sooner if it has worked before.
const pipeliningAvoidedMs = { proved: 600_000, unproved: 3_600_000 } as const;
// A connection may also be lost by chance, or because the host starts anew. So its limit is tried again after this time.
const observedLimitMs = 600_000;
const downMs = { first: 30_000, silentAgain: 120_000 } as const;
// A host that stayed silent gets less time until it answers again, or for this long.
const silentForMs = 600_000;
const pauseFirstMs = 500;
const pauseMaxMs = 60_000;
const pauseWorthWaitingMs = 5_000;
/** From this many troubles in a row without an answer we stop to expect one. */
export const troublesMax = 2;

/**
 * What we have learned about one mail host: how many recipients and connections it takes, whether it pipelines and
 * encrypts, whether it wants a pause or is down. It starts small, grows while the host answers, and shrinks to what the
 * host shows. It does nothing by itself: the pool reports events and asks.
 */
export class HostManners {
  readonly #limits: MannersLimits;
  encryption: SessionTarget['encryption'] = 'offered';
  #hasPipelining = true;
  #isPipeliningProved = false;
  #pipeliningAvoidedUntil = 0;
  #recipientsPerTransaction: number;
  #isTransactionLimitKnown = false;
  /** What the host or its provider has said. */
  #namedRecipientsMax: number;
  /** What a lost connection has shown. */
  #observedRecipientsMax = { count: Number.POSITIVE_INFINITY, until: 0 };
  /** Whether the host has greeted us since the start or the last pause. Until then it gets one connection. */
  #isGreeted = false;
  /** Whether a connection has answered everything. Until then a host without PIPELINING gets short transactions. */
  #hasAnsweredAll = false;
  #connectionsBearable: number;
  #pausedUntil = 0;
  /** Pauses in a row without an answer between them. */
  #pauseCount = 0;
  /** Conversations lost in a row without an answer between them. */
  #lossCount = 0;
  /** When it last stayed silent, if it has not answered since. */
  #silentAt = Number.NEGATIVE_INFINITY;
  #down: { failure: SessionFailure; until: number } | undefined;

  constructor(ours: MannersLimits, provider: Pick<Provider, 'connections' | 'recipientsPerConnection'> = {}) {
    const connectionsPerHost = Math.min(
      ours.connectionsPerHost,
      provider.connections ?? ours.connectionsPerHost,
    );
    const limits = { ...ours, connectionsPerHost };
    this.#limits = limits;
    this.#namedRecipientsMax = provider.recipientsPerConnection ?? Number.POSITIVE_INFINITY;
    this.#recipientsPerTransaction = Math.min(recipientsAtFirst, limits.recipientsPerTransaction);
    this.#connectionsBearable = limits.connectionsPerHost;
  }

  /**
   * How many recipients the next transaction on this connection may have. Without PIPELINING a recipient costs a round
   * trip, so all connections get equal parts of the host's work and finish together.
   */
  roomOn({ askedCount, hasPipelining }: ConnectionLoad, work: HostWork): number {
    const room = Math.min(this.#recipientsPerTransaction, this.#recipientsForCallers - askedCount);
    if (hasPipelining) return room;
    const sharedBy = Math.max(work.connectionCount, this.connectionsFor(work.recipientCount), 1);
    const part = Math.ceil(work.recipientCount / sharedBy);
    return Math.min(room, part, this.#hasAnsweredAll ? room : recipientsAtFirstUnpipelined);
  }

  fitsTransaction(recipientCount: number): boolean {
    return recipientCount <= this.#recipientsPerTransaction;
  }

  get #recipientsPerConnection(): number {
    return Math.min(this.#namedRecipientsMax, this.#observedRecipientsMax.count);
  }

  /** One less than the host takes on a connection: the last one confirms the answers to the others, if that is needed. */
  get #recipientsForCallers(): number {
    return Math.max(this.#recipientsPerConnection - 1, 1);
  }

  /** Whether the connection has had as many recipients as it may have. */
  isUsedUp({ askedCount }: ConnectionLoad): boolean {
    return askedCount >= this.#recipientsForCallers;
  }

  /** Whether the connection may be asked about one more name to confirm its answers. */
  hasRoomForControl({ askedCount }: ConnectionLoad): boolean {
    return askedCount < this.#recipientsPerConnection;
  }

  /**
   * Whether another transaction may follow in the pipe before the answers to the last one: not for a handful of
   * recipients, and a full transaction ahead only after the connection has answered before.
   */
  mayAskAhead(load: ConnectionLoad, waitingCount: number): boolean {
    if (!load.hasPipelining || waitingCount < this.#recipientsPerTransaction / 2) return false;
    const aheadMax =
      load.answeredCount > 0 ? this.#recipientsPerTransaction : this.#recipientsPerTransaction / 2;
    return load.outstanding <= aheadMax;
  }

  /** How many connections are worth having for so many waiting recipients, within what the host bears. */
  connectionsFor(waitingCount: number): number {
    const worthOne = this.#hasPipelining
      ? this.#recipientsPerTransaction * roundTripsWorthAConnection
      : recipientsWorthAConnectionUnpipelined;
    const wanted = Math.ceil(waitingCount / Math.min(worthOne, this.#recipientsPerConnection));
    return this.#isGreeted ? Math.min(wanted, this.#connectionsBearable) : Math.min(wanted, 1);
  }

  isPaused(now: number): boolean {
    return this.#pausedUntil > now;
  }

  /** Whether a pause is so long that connections are not kept for its end. */
  isPausedForLong(now: number): boolean {
    return this.#pausedUntil - now > pauseWorthWaitingMs;
  }

  /** Why the host is not asked at present; undefined when it is not down. */
  downFailure(now: number): SessionFailure | undefined {
    return this.#down !== undefined && this.#down.until > now ? this.#down.failure : undefined;
  }

  /** Whether we may forget the host: it neither pauses nor is down. */
  isCalm(now: number): boolean {
    return this.#pausedUntil < now && (this.#down?.until ?? 0) < now;
  }

  onGreeting(): void {
    this.#isGreeted = true;
  }

  /** A connection is ready for transactions. */
  onReady(hasPipelining: boolean, now: number): void {
    this.#hasPipelining = hasPipelining;
    if (this.#observedRecipientsMax.until <= now)
      this.#observedRecipientsMax.count = Number.POSITIVE_INFINITY;
    this.#down = undefined;
  }

  /** Whether new connections may pipeline. */
  pipelining(now: number): SessionTarget['pipelining'] {
    if (this.#pipeliningAvoidedUntil > now) return 'broken';
    return this.#isPipeliningProved ? 'proved' : 'unproved';
  }

  /** A pipelined conversation fell silent or broke off, so new connections send one command at a time. */
  avoidPipelining(now: number): void {
    this.#pipeliningAvoidedUntil =
      now + pipeliningAvoidedMs[this.#isPipeliningProved ? 'proved' : 'unproved'];
  }

  /** The host has said something about a mailbox. */
  onAnswer(): void {
    this.#pauseCount = 0;
    this.#lossCount = 0;
    this.#silentAt = Number.NEGATIVE_INFINITY;
  }

  /** All questions of a connection are answered, so its transactions may grow. */
  onAllAnswered({ hasPipelining }: ConnectionLoad): void {
    if (hasPipelining) this.#isPipeliningProved = true;
    this.#hasAnsweredAll = true;
    if (this.#isTransactionLimitKnown) return;
    const { recipientsPerTransaction } = this.#limits;
    this.#recipientsPerTransaction = Math.min(this.#recipientsPerTransaction * 2, recipientsPerTransaction);
  }

  limitTransaction(recipientCount: number): void {
    this.#recipientsPerTransaction = Math.min(this.#recipientsPerTransaction, recipientCount);
    this.#isTransactionLimitKnown = true;
  }

  /** The host says that it takes no more recipients on a connection. */
  limitConnection(recipientCount: number): void {
    this.#namedRecipientsMax = Math.min(this.#namedRecipientsMax, recipientCount);
  }

  /** The host ended a connection after this many recipients. That may be chance, so the limit expires. */
  limitConnectionForNow(recipientCount: number, now: number): void {
    if (recipientCount > this.#observedRecipientsMax.count) return;
    this.#observedRecipientsMax = { count: recipientCount, until: now + observedLimitMs };
  }

  /** The host bears no more connections than these; undefined lifts the limit. */
  limitConnections(count: number | undefined): void {
    this.#connectionsBearable = count ?? this.#limits.connectionsPerHost;
  }

  /** The host has had too much of us. */
  onSlowDown(): void {
    this.#recipientsPerTransaction = Math.max(1, this.#recipientsPerTransaction >> 1);
  }

  /** How long the next pause takes: as long as the host says, and at least twice as long each time. */
  pauseMs(namedMs = 0): number {
    return Math.max(namedMs, Math.min(pauseFirstMs * 2 ** this.#pauseCount, pauseMaxMs));
  }

  /** Begins a pause; says whether there were several without an answer between them. */
  pauseUntil(time: number): { isRepeated: boolean } {
    this.#pausedUntil = time;
    this.#pauseCount += 1;
    this.#isGreeted = false;
    return { isRepeated: this.#pauseCount > troublesMax };
  }

  /** A connection was lost before it was ready; says whether that is the end of our patience. */
  onConnectionLost(): { isHopeless: boolean } {
    this.#lossCount += 1;
    return { isHopeless: this.#lossCount >= troublesMax };
  }

  /** A conversation was lost over a question; tells whether to give up on the host. */
  onConversationLost(): { isHopeless: boolean } {
    this.#lossCount += 1;
    return { isHopeless: this.#lossCount > troublesMax };
  }

  /** The host stayed silent then, perhaps to another process. */
  noteSilence(time: number): void {
    this.#silentAt = Math.max(this.#silentAt, time);
  }

  /** Whether the host stayed silent lately. */
  wasSilent(now: number): boolean {
    return now - this.#silentAt < silentForMs;
  }

  goDown(failure: SessionFailure, now: number): void {
    const isSilentAgain = isSilence(failure.reason) && this.wasSilent(now);
    this.#down = { failure, until: now + downMs[isSilentAgain ? 'silentAgain' : 'first'] };
    if (isSilence(failure.reason)) this.noteSilence(now);
    this.#lossCount = 0;
  }
}
