import type { Clock } from '../../clock.ts';
import type { SessionOwner, SessionTarget } from '../../smtp/session-types.ts';
import type { Job, JobSession } from '../jobs/job.ts';
import type { HostManners } from './host-manners.ts';
import type { HostPermit, HostPermits, MailPlace } from './host-permits.ts';

export interface ConnectionServices {
  clock: Clock;
  openSession(target: SessionTarget, owner: SessionOwner<Job>): JobSession;
  permits: HostPermits;
  limits: { idleMs: number };
}

/** Single checks that wait longer for a connection are deferred: their customer has too many at hosts that stay silent. */
const permitPatienceMs = 60_000;
/** Permits should not reject. If they do, the host's jobs are deferred this long. */
const restAfterFailedPermitMs = 1_000;

/** A connection whose host has been silent since then. */
export interface SilentConnection {
  readonly session: JobSession;
  readonly since: number;
}

/** Since when a host owes us an answer. Bytes that are no answer do not count: a hostile host could send some each second. */
const silentSince = ({ isReady, startedAt, askedAt, readAt, answeredSinceIdle }: JobSession): number =>
  isReady ? Math.max(askedAt, answeredSinceIdle > 0 ? readAt : 0) : startedAt;

/** The pool that uses the connections. */
export interface ConnectionsOwner extends SessionOwner<Job> {
  /** Whether there is still something to ask when a permit arrives. */
  hasWork(): boolean;
  /** Whether all that wait here met a silent host before. */
  areAllDelayed(): boolean;
  /** A customer's share of the connections has left none for this host for long. */
  onPermitLate(customer: string): void;
  /** Whether to keep an idle connection for a moment. */
  mayRest(): boolean;
  /** A connection is being set up. */
  onOpening(): void;
  /** Another process that shares the permits says that the host wants a pause. */
  onHostRests(forMs: number): void;
  /** New connections have to wait for permits, or no longer have to. */
  onShortOfPermits(isShort: boolean): void;
}

/** The connections to one mail host: opened with a permit, kept idle for a moment, ended with QUIT. */
export class HostConnections {
  readonly #place: MailPlace;
  readonly #target: Pick<SessionTarget, 'host' | 'ips'>;
  readonly #manners: HostManners;
  readonly #services: ConnectionServices;
  readonly #owner: ConnectionsOwner;
  readonly #sessions = new Map<JobSession, { permit: HostPermit; customer: string }>();
  readonly #idleTimers = new Map<JobSession, () => void>();
  /** Connections with a question that only they may answer; they wait for the end of a pause. */
  readonly #kept = new WeakSet<JobSession>();
  /** Connections that get no more questions and quit after their last answer. */
  readonly #spent = new WeakSet<JobSession>();
  /** By the customer they are for. */
  #requests = new Map<string, number>();
  #wantedCount = 0;
  #stopAcquiring = new AbortController();
  #dialCount = 0;

  constructor(
    place: MailPlace,
    target: Pick<SessionTarget, 'host' | 'ips'>,
    manners: HostManners,
    services: ConnectionServices,
    owner: ConnectionsOwner,
  ) {
    this.#place = place;
    this.#target = target;
    this.#manners = manners;
    this.#services = services;
    this.#owner = owner;
  }

  get count(): number {
    return this.#sessions.size;
  }

  [Symbol.iterator](): Iterator<JobSession> {
    return this.#sessions.keys();
  }

  get isQuiet(): boolean {
    return this.#sessions.size === 0 && this.#requests.size === 0;
  }

  /** How many questions wait for their answer. */
  get outstanding(): number {
    let count = 0;
    for (const session of this.#sessions.keys()) count += session.outstanding;
    return count;
  }

  get readyCount(): number {
    let count = 0;
    for (const session of this.#sessions.keys()) if (session.isReady && !session.isLeaving) count += 1;
    return count;
  }

  /** The connection for this customer whose host owes us an answer for longest. */
  longestSilent(customer: string): SilentConnection | undefined {
    let longest: SilentConnection | undefined;
    for (const [session, { customer: whose }] of this.#sessions) {
      if (whose !== customer || session.isIdle || session.isLeaving) continue;
      const since = silentSince(session);
      if (longest === undefined || since < longest.since) longest = { session, since };
    }
    return longest;
  }

  /** The connection with the fewest open questions that may take more. */
  freest(): JobSession | undefined {
    let freest: JobSession | undefined;
    for (const session of this.#sessions.keys()) {
      if (!session.isReady || session.isLeaving || this.#spent.has(session)) continue;
      if (freest === undefined || session.outstanding < freest.outstanding) freest = session;
    }
    return freest;
  }

  /**
   * Opens connections until there are as many as wanted. Without any, each customer who waits asks for one, because the
   * share of the first one may be used up.
   */
  open(wanted: number, customers: Iterable<string>): void {
    this.#wantedCount = wanted;
    const unasked = [...customers].filter((customer) => !this.#requests.has(customer));
    let count = this.#usableCount();
    const hasNone = count === 0;
    for (const requested of this.#requests.values()) count += requested;
    const [first = ''] = customers;
    for (; count < wanted; count++) void this.#openOne(unasked.shift() ?? first);
    if (hasNone) for (const customer of unasked) void this.#openOne(customer);
  }

  #usableCount(): number {
    let count = 0;
    for (const session of this.#sessions.keys()) {
      if (!session.isLeaving && !this.#spent.has(session)) count += 1;
    }
    return count;
  }

  async #openOne(customer: string): Promise<void> {
    const { permits, openSession, clock } = this.#services;
    const { signal } = this.#stopAcquiring;
    this.#requests.set(customer, (this.#requests.get(customer) ?? 0) + 1);
    const stopWaiting = this.#watchPatience(customer);
    let isAnswered = false;
    // In the next turn, because other pools close connections then.
    const onShort = () =>
      setImmediate(() => {
        if (!isAnswered && !signal.aborted) this.#owner.onShortOfPermits(true);
      });
    const request = { place: this.#place, customer };
    const answer = await permits.acquire(request, signal, onShort).catch(() => undefined);
    isAnswered = true;
    stopWaiting();
    if (!signal.aborted) {
      const left = (this.#requests.get(customer) ?? 0) - 1;
      if (left > 0) this.#requests.set(customer, left);
      else this.#requests.delete(customer);
      if (this.#requests.size === 0) this.#owner.onShortOfPermits(false);
    }
    if (answer === undefined) {
      if (!signal.aborted) this.#owner.onHostRests(restAfterFailedPermitMs);
      return;
    }
    if ('restMs' in answer) {
      if (!signal.aborted) this.#owner.onHostRests(answer.restMs);
      return;
    }
    const isSurplus = this.#usableCount() >= this.#wantedCount;
    if (signal.aborted || isSurplus || !this.#owner.hasWork()) {
      answer.release();
      return;
    }
    const { encryption } = this.#manners;
    const pipelining = this.#manners.pipelining(clock.now());
    const isBrief = this.#manners.wasSilent(clock.now()) || this.#owner.areAllDelayed();
    const patience = isBrief ? 'short' : 'usual';
    const session = openSession({ ...this.#target, encryption, pipelining, patience }, this.#owner);
    this.#sessions.set(session, { permit: answer, customer });
    this.#owner.onOpening();
    session.connect(this.#dialCount++ % this.#target.ips.length);
  }

  /** Tells the owner again and again while a request waits. */
  #watchPatience(customer: string): () => void {
    const { clock } = this.#services;
    const { signal } = this.#stopAcquiring;
    const wait = (): (() => void) =>
      clock.after(permitPatienceMs, () => {
        if (signal.aborted) return;
        stop = wait();
        this.#owner.onPermitLate(customer);
      });
    let stop = wait();
    return () => stop();
  }

  /** Stops to wait for permits. */
  abandonOpening(): void {
    this.#stopAcquiring.abort();
    this.#stopAcquiring = new AbortController();
    this.#requests = new Map();
    this.#owner.onShortOfPermits(false);
  }

  /** Gives the connection no more questions; it quits when it is idle. */
  spend(session: JobSession): void {
    this.#spent.add(session);
    if (session.isIdle) session.quit();
  }

  isSpent(session: JobSession): boolean {
    return this.#spent.has(session);
  }

  /** Keeps an idle connection until `wake`. */
  keep(session: JobSession): void {
    this.wake(session);
    this.#kept.add(session);
  }

  wake(session: JobSession): void {
    this.#kept.delete(session);
    this.#idleTimers.get(session)?.();
    this.#idleTimers.delete(session);
  }

  /** Keeps idle connections for a moment, or ends them. */
  rest(): void {
    for (const session of [...this.#sessions.keys()]) {
      if (!session.isIdle || this.#kept.has(session)) continue;
      if (this.#spent.has(session) || !this.#owner.mayRest()) session.quit();
      else if (!this.#idleTimers.has(session)) {
        const { clock, limits } = this.#services;
        this.#idleTimers.set(
          session,
          clock.after(limits.idleMs, () => session.quit()),
        );
      }
    }
  }

  onEnd(session: JobSession): void {
    this.wake(session);
    this.#sessions.get(session)?.permit.release();
    this.#sessions.delete(session);
  }

  closeIdle(): void {
    for (const session of [...this.#sessions.keys()]) {
      if (session.isIdle && !this.#kept.has(session)) session.quit();
    }
  }

  /** Ends every connection: with QUIT if it is idle, else at once. */
  close(): void {
    this.abandonOpening();
    for (const session of [...this.#sessions.keys()]) session.quit();
  }

  abort(): void {
    this.abandonOpening();
    for (const session of [...this.#sessions.keys()]) session.abort();
  }

  /** Drops the connections that serve only cancelled clients. */
  abortUnwanted(): void {
    for (const session of [...this.#sessions.keys()]) {
      const pending = [...session.pending()];
      if (pending.length > 0 && pending.every((job) => job.client.isCancelled)) session.abort();
    }
  }
}
