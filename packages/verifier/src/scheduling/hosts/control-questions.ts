import type { EvidenceStage } from '../../evidence.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import type { Job, JobSession } from '../jobs/job.ts';
import type { PoolParts } from './pool-services.ts';

interface ControlQuestion {
  readonly job: Job;
  readonly session: JobSession;
}

interface ControlOwner {
  ask(session: JobSession, jobs: Job[]): void;
  pumpSoon(): void;
  /** What our own limits answer instead of the host, if they leave no room for long. */
  limitedAnswer(): LimitedAnswer | undefined;
  waitForRoom(): void;
  onLimited(job: Job, session: JobSession, answer: LimitedAnswer): void;
}

export interface LimitedAnswer {
  readonly found: ReplyClass;
  readonly stage: EvidenceStage;
}

/** Questions of our own that only a certain connection may answer. They wait for the end of a short pause. */
export class ControlQuestions {
  readonly #parts: PoolParts;
  readonly #owner: ControlOwner;
  #waiting: ControlQuestion[] = [];

  constructor(parts: PoolParts, owner: ControlOwner) {
    this.#parts = parts;
    this.#owner = owner;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  ask(job: Job, session: JobSession): void {
    this.#waiting.push({ job, session });
    this.askAll();
  }

  /** Asks in the next turn, when a pause has begun or the transaction is over. */
  askSoon(job: Job, session: JobSession): void {
    this.#waiting.push({ job, session });
    this.#owner.pumpSoon();
  }

  askAll(): void {
    const { manners, connections } = this.#parts;
    const now = this.#now();
    const waits = manners.isPaused(now) && !manners.isPausedForLong(now);
    const questions = this.#waiting;
    if (!waits) this.#waiting = [];
    let isFull = false;
    for (const question of questions) {
      const { session } = question;
      if (waits) connections.keep(session);
      // Hundreds may wait, and where one finds no room the others find none either.
      else if (isFull && session.isReady && !session.isLeaving) {
        connections.keep(session);
        this.#waiting.push(question);
      } else {
        connections.wake(session);
        isFull = this.#askNow(question) === 'no room';
      }
    }
  }

  /** Asks on its connection, or not at all. */
  #askNow(question: ControlQuestion): 'no room' | undefined {
    const { job, session } = question;
    const { manners, services, gate, connections } = this.#parts;
    const isOpen = session.isReady && !session.isLeaving && !manners.isPaused(this.#now());
    if (isOpen && manners.hasRoomForControl(session)) {
      if (gate.hasRoomForControl) {
        this.#owner.ask(session, [job]);
        return undefined;
      }
      const answer = this.#owner.limitedAnswer();
      if (answer !== undefined) {
        this.#owner.onLimited(job, session, answer);
        return undefined;
      }
      connections.keep(session);
      this.#waiting.push(question);
      this.#owner.waitForRoom();
      return 'no room';
    }
    const stage = { ...session.evidence, note: 'the connection is gone' };
    services.owner.onHostFailed(job, 'connection_lost', stage);
    return undefined;
  }

  dropCancelled(): void {
    this.#waiting = this.#waiting.filter(({ job }) => !job.client.isCancelled);
  }

  #now(): number {
    return this.#parts.services.clock.now();
  }
}
