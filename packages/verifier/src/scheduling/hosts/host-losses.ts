import { isSilence } from '../../judgement/reasons.ts';
import type { SessionEnding } from '../../smtp/session-types.ts';
import type { Job, JobPlace, JobSession } from '../jobs/job.ts';
import { troublesMax } from './host-manners.ts';
import type { HostRests } from './host-rests.ts';
import type { PoolParts } from './pool-services.ts';
import { readFailure, remedyFor, type SessionFailure } from './session-failure.ts';

const connectionsRegrowMs = 60_000;

/** Decides what a lost connection means for its host and for the questions that it left without an answer. */
export class HostLosses {
  readonly #pool: JobPlace;
  readonly #parts: PoolParts;
  readonly #rests: HostRests;

  constructor(pool: JobPlace, parts: PoolParts, rests: HostRests) {
    this.#pool = pool;
    this.#parts = parts;
    this.#rests = rests;
  }

  onEnd(session: JobSession, ending: SessionEnding, unanswered: readonly Job[]): void {
    if (ending.kind === 'quit' || ending.kind === 'aborted') return;
    const failure = readFailure(session, ending, this.#now(), unanswered[0]?.mailbox);
    const wanted = unanswered.filter((job) => !job.client.isCancelled);
    // Nobody waits for the answer any more: the addresses are already asked about again.
    if (isAtItsLimit(session, ending, unanswered))
      this.#parts.manners.limitConnectionForNow(session.answeredCount, this.#now());
    if (ending.kind === 'reply' && failure.farewell !== undefined)
      this.#rests.startForProvider(ending.text, failure.farewell, failure.stage, unanswered[0]?.mailbox);
    if (session.isReady) this.#onConversationLost(session, ending, wanted, failure);
    else this.#onConnectionFailed(ending, failure);
  }

  /** No answer for too long: gives up on the host and on all that wait for it. */
  onStalled(): void {
    const { connections, queue, services } = this.#parts;
    const sessions = [...connections];
    const [session] = sessions;
    const pending = sessions.flatMap((open) => [...open.pending()]).filter((job) => !job.client.isCancelled);
    if (session === undefined || pending.length + queue.size === 0) return;
    const stage = session.isReady ? 'rcpt' : 'connect';
    const failure = readFailure(session, { kind: 'timeout', stage }, this.#now());
    this.#goDown(failure);
    for (const open of sessions) open.abort();
    for (const job of pending) services.owner.onHostFailed(job, failure.reason, failure.stage);
  }

  #onConnectionFailed(ending: SessionEnding, failure: SessionFailure): void {
    const { manners, queue, connections, services } = this.#parts;
    if (ending.kind === 'tls' && manners.encryption === 'offered') {
      // The host's encryption does not work. We send no secrets, so we try without.
      manners.encryption = 'never';
      return;
    }
    const { readyCount } = connections;
    if (readyCount > 0) {
      // Other connections work: the host wants no more of them, or our egress cannot open more.
      manners.limitConnections(readyCount);
      services.agenda.at(this.#now() + connectionsRegrowMs, () => manners.limitConnections(undefined));
      return;
    }
    if (ending.kind === 'egress_away') {
      for (const job of queue.removeAll())
        services.owner.deferUnasked(this.#pool, job, 'egress-away', failure.stage);
      return;
    }
    const { farewell } = failure;
    if (farewell !== undefined && farewell.meaning !== 'no_answer')
      this.#rests.start(farewell, failure.stage);
    else if (ending.kind !== 'lost' || manners.onConnectionLost().isHopeless) this.#goDown(failure);
  }

  #onConversationLost(
    session: JobSession,
    ending: SessionEnding,
    unanswered: readonly Job[],
    failure: SessionFailure,
  ): void {
    const { manners } = this.#parts;
    if (ending.kind === 'tls_demanded') manners.encryption = 'always';
    // The host demands the encryption that failed once. After its rest it may work again.
    if (ending.kind === 'tls') manners.encryption = 'offered';
    if (unanswered.length === 0) return;
    switch (remedyFor(ending.kind, failure.farewell, session, unanswered.length)) {
      case 'ask_again':
        this.#requeue(unanswered);
        break;
      case 'host_is_down':
        this.#requeue(unanswered);
        this.#goDown(failure);
        break;
      case 'limit_connection':
        // It gave answers before, so it is not down: several connections may reach the limit at the same moment.
        if (ending.kind !== 'timeout') manners.limitConnectionForNow(session.answeredCount, this.#now());
        else this.#suspectHost(failure);
        if (ending.kind === 'reply') this.#requeue(unanswered);
        else this.#suspectFirst(unanswered, ending, failure);
        break;
      case 'pause':
        this.#requeue(unanswered);
        if (failure.farewell !== undefined) this.#rests.start(failure.farewell, failure.stage);
        break;
      case 'one_command_at_a_time':
        manners.avoidPipelining(this.#now());
        this.#requeue(unanswered);
        break;
      case 'suspect':
        this.#suspectHost(failure);
        this.#suspectFirst(unanswered, ending, failure);
    }
  }

  #suspectHost(failure: SessionFailure): void {
    if (this.#parts.manners.onConversationLost().isHopeless) this.#goDown(failure);
  }

  /** The host fell silent or hung up instead of answering the first question: asks it once more, the others as before. */
  #suspectFirst(unanswered: readonly Job[], ending: SessionEnding, failure: SessionFailure): void {
    const { services } = this.#parts;
    const [suspect, ...others] = unanswered;
    if (suspect === undefined) return;
    suspect.lostCount += 1;
    this.#requeue(others);
    if (suspect.lostCount < troublesMax && ending.kind !== 'timeout') this.#pool.add(suspect);
    else services.owner.onHostFailed(suspect, failure.reason, failure.stage);
  }

  #requeue(jobs: readonly Job[]): void {
    for (const job of jobs) this.#pool.add(job);
  }

  #goDown(failure: SessionFailure): void {
    const { manners, queue, connections, services } = this.#parts;
    manners.goDown(failure, this.#now());
    if (isSilence(failure.reason)) services.owner.onHostSilent(this.#parts.name);
    for (const job of queue.removeAll()) services.owner.onHostFailed(job, failure.reason, failure.stage);
    connections.abandonOpening();
  }

  #now(): number {
    return this.#parts.services.clock.now();
  }
}

/**
 * Whether the host ended the conversation over the question that would confirm its answers. That question comes right
 * after them, so the connection was not idle: the host takes no more recipients on one than it has answered. Below two,
 * there would be no room for such a question at all.
 */
const isAtItsLimit = (session: JobSession, { kind }: SessionEnding, unanswered: readonly Job[]): boolean =>
  (kind === 'reply' || kind === 'lost') &&
  session.answeredCount > 1 &&
  unanswered.length > 0 &&
  unanswered.every(({ probe, streak }) => probe !== undefined && streak !== undefined);
