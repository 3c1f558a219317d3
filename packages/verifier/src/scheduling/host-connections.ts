import type { SessionOwner, SessionSettings, SessionTarget } from '../smtp/session.ts';
import { SmtpSession } from '../smtp/session.ts';
import type { HostPermit, HostPermits, MailPlace } from './host-permits.ts';
import type { Job } from './job.ts';

export type JobSession = SmtpSession<Job>;

export interface ConnectionServices {
  settings: SessionSettings;
  permits: HostPermits;
  limits: { connectionsPerHost: number; idleMs: number };
}

/** What the pool behind the connections tells them. */
export interface ConnectionsOwner extends SessionOwner<Job> {
  /** Whether there is still something to ask, when a permit has come. */
  hasWork(): boolean;
  /** Whether a connection with nothing to do is worth keeping for a moment. */
  mayRest(): boolean;
  /** The host asked to be left alone, by word of somebody who shares the permits. */
  onHostRests(forMs: number): void;
  /** Connections have to be waited for, or no longer. */
  onShortOfPermits(isShort: boolean): void;
}

/** The connections to one mail host: opened with permission, rested for a moment, ended politely. */
export class HostConnections {
  readonly #place: MailPlace;
  readonly #target: Omit<SessionTarget, 'encryption'>;
  readonly #services: ConnectionServices;
  readonly #owner: ConnectionsOwner;
  readonly #sessions = new Map<JobSession, HostPermit>();
  readonly #idleTimers = new Map<JobSession, () => void>();
  /** These get nothing more to do and leave when they are done. */
  readonly #spent = new WeakSet<JobSession>();
  #acquiring = 0;
  #stopAcquiring = new AbortController();
  #dialCount = 0;
  /** Slow start: doubled by every connection that came about, one again after trouble. */
  #allowed = 1;
  /** What the host has shown that it bears. */
  #ceiling: number;
  encryption: SessionTarget['encryption'] = 'offered';

  constructor(
    place: MailPlace,
    target: Omit<SessionTarget, 'encryption'>,
    services: ConnectionServices,
    owner: ConnectionsOwner,
  ) {
    this.#place = place;
    this.#target = target;
    this.#services = services;
    this.#owner = owner;
    this.#ceiling = services.limits.connectionsPerHost;
  }

  get count(): number {
    return this.#sessions.size;
  }

  get isQuiet(): boolean {
    return this.#sessions.size === 0 && this.#acquiring === 0;
  }

  get readyCount(): number {
    let count = 0;
    for (const session of this.#sessions.keys()) if (session.isReady && !session.isLeaving) count += 1;
    return count;
  }

  grow(): void {
    this.#allowed = Math.min(this.#allowed * 2, this.#services.limits.connectionsPerHost);
  }

  startOver(): void {
    this.#allowed = 1;
  }

  /** The host wants no more than these; undefined lifts that. */
  limitTo(count: number | undefined): void {
    this.#ceiling = count ?? this.#services.limits.connectionsPerHost;
  }

  /** The connection with the least to do that may take more. */
  freest(): JobSession | undefined {
    let freest: JobSession | undefined;
    for (const session of this.#sessions.keys()) {
      if (!session.isReady || session.isLeaving || this.#spent.has(session)) continue;
      if (freest === undefined || session.outstanding < freest.outstanding) freest = session;
    }
    return freest;
  }

  /** Opens connections until there are as many as wanted, or as may be. */
  open(wanted: number): void {
    let count = this.#acquiring;
    for (const session of this.#sessions.keys()) {
      if (!session.isLeaving && !this.#spent.has(session)) count += 1;
    }
    for (; count < Math.min(wanted, this.#allowed, this.#ceiling); count++) void this.#openOne();
  }

  async #openOne(): Promise<void> {
    const { permits, settings } = this.#services;
    const { signal } = this.#stopAcquiring;
    this.#acquiring += 1;
    let isAnswered = false;
    // In a turn of its own, since others give up connections for it.
    const onShort = () =>
      setImmediate(() => {
        if (!isAnswered && !signal.aborted) this.#owner.onShortOfPermits(true);
      });
    const answer = await permits.acquire(this.#place, signal, onShort).catch(() => undefined);
    isAnswered = true;
    if (!signal.aborted) {
      this.#acquiring -= 1;
      if (this.#acquiring === 0) this.#owner.onShortOfPermits(false);
    }
    if (answer === undefined) return;
    if ('restMs' in answer) {
      if (!signal.aborted) this.#owner.onHostRests(answer.restMs);
      return;
    }
    if (signal.aborted || !this.#owner.hasWork()) {
      answer.release();
      return;
    }
    const session: JobSession = new SmtpSession(
      { ...this.#target, encryption: this.encryption },
      settings,
      this.#owner,
    );
    this.#sessions.set(session, answer);
    session.connect(this.#dialCount++ % this.#target.ips.length);
  }

  /** Waits for no more permits. */
  abandonOpening(): void {
    this.#stopAcquiring.abort();
    this.#stopAcquiring = new AbortController();
    this.#acquiring = 0;
    this.#owner.onShortOfPermits(false);
  }

  /** No more for this connection; it leaves as soon as it has nothing to do. */
  spend(session: JobSession): void {
    this.#spent.add(session);
    if (session.isIdle) session.quit();
  }

  isSpent(session: JobSession): boolean {
    return this.#spent.has(session);
  }

  wake(session: JobSession): void {
    this.#idleTimers.get(session)?.();
    this.#idleTimers.delete(session);
  }

  /** Lets connections with nothing to do rest, or leave. */
  rest(): void {
    for (const session of [...this.#sessions.keys()]) {
      if (!session.isIdle) continue;
      if (this.#spent.has(session) || !this.#owner.mayRest()) session.quit();
      else if (!this.#idleTimers.has(session)) {
        const { settings, limits } = this.#services;
        this.#idleTimers.set(
          session,
          settings.clock.after(limits.idleMs, () => session.quit()),
        );
      }
    }
  }

  onEnd(session: JobSession): void {
    this.wake(session);
    this.#sessions.get(session)?.release();
    this.#sessions.delete(session);
  }

  closeIdle(): void {
    for (const session of [...this.#sessions.keys()]) if (session.isIdle) session.quit();
  }

  /** Ends every connection: politely where nothing is under way, at once everywhere else. */
  close(): void {
    this.abandonOpening();
    for (const session of [...this.#sessions.keys()]) session.quit();
  }

  abort(): void {
    this.abandonOpening();
    for (const session of [...this.#sessions.keys()]) session.abort();
  }

  /** Drops the connections that serve only the cancelled. */
  abortUnwanted(): void {
    for (const session of [...this.#sessions.keys()]) {
      const pending = [...session.pending()];
      if (pending.length > 0 && pending.every((job) => job.client.isCancelled)) session.abort();
    }
  }
}
