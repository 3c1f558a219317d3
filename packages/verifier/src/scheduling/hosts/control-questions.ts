import type { Job, JobSession } from '../jobs/job.ts';
import type { PoolParts } from './pool-services.ts';

interface ControlQuestion {
  readonly job: Job;
  readonly session: JobSession;
}

/** Questions of our own that only a certain connection may answer. They wait for the end of a short pause. */
export class ControlQuestions {
  readonly #parts: PoolParts;
  readonly #ask: (session: JobSession, jobs: Job[]) => void;
  readonly #pumpSoon: () => void;
  #waiting: ControlQuestion[] = [];

  constructor(parts: PoolParts, ask: (session: JobSession, jobs: Job[]) => void, pumpSoon: () => void) {
    this.#parts = parts;
    this.#ask = ask;
    this.#pumpSoon = pumpSoon;
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
    this.#pumpSoon();
  }

  askAll(): void {
    const { manners, connections } = this.#parts;
    const now = this.#now();
    const waits = manners.isPaused(now) && !manners.isPausedForLong(now);
    const questions = this.#waiting;
    if (!waits) this.#waiting = [];
    for (const question of questions) {
      if (waits) connections.keep(question.session);
      else {
        connections.wake(question.session);
        this.#askNow(question);
      }
    }
  }

  /** Asks on its connection, or not at all. */
  #askNow({ job, session }: ControlQuestion): void {
    const { manners, services } = this.#parts;
    const isOpen = session.isReady && !session.isLeaving && !manners.isPaused(this.#now());
    if (isOpen && manners.hasRoomForControl(session)) this.#ask(session, [job]);
    else {
      const stage = { ...session.evidence, note: 'the connection is gone' };
      services.owner.onHostFailed(job, 'connection_lost', stage);
    }
  }

  dropCancelled(): void {
    this.#waiting = this.#waiting.filter(({ job }) => !job.client.isCancelled);
  }

  #now(): number {
    return this.#parts.services.clock.now();
  }
}
