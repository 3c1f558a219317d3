import type { EvidenceStage } from '../evidence.ts';
import type { Job, JobSession } from '../scheduling/jobs/job.ts';
import type { SessionEnding, SessionOwner, SessionTarget } from '../smtp/session-types.ts';

/** A session without a network: the test says what the host answers and when it goes. */
export class FakeSession implements JobSession {
  readonly target: SessionTarget;
  readonly #owner: SessionOwner<Job>;
  readonly transactions: string[][] = [];
  #pending: Job[] = [];
  #state: 'opening' | 'open' | 'quitting' | 'over' = 'opening';
  firstIp = -1;
  ip = '192.0.2.1';
  outstanding = 0;
  askedCount = 0;
  answeredCount = 0;
  answeredSinceIdle = 0;
  answeredInTransaction = 0;
  acceptedInTransaction = 0;
  evidence: EvidenceStage = { stage: 'connect' };
  isReady = false;
  hasPipelining = true;
  hasSmtpUtf8 = false;
  startedAt = 0;
  askedAt = 0;
  readAt = 0;

  constructor(target: SessionTarget, owner: SessionOwner<Job>) {
    this.target = target;
    this.#owner = owner;
  }

  connect(firstIp = 0): void {
    this.firstIp = firstIp;
  }

  /** The host greets us. */
  greet(): void {
    this.#owner.onGreeting(this);
  }

  /** The host has greeted us and answered EHLO. */
  ready(features: { hasPipelining?: boolean; hasSmtpUtf8?: boolean } = {}): void {
    this.greet();
    Object.assign(this, features);
    this.isReady = true;
    this.#state = 'open';
    this.#owner.onReady(this);
  }

  ask(jobs: readonly Job[], { isContinued = false } = {}): void {
    if (this.outstanding === 0) this.answeredSinceIdle = 0;
    const mailboxes = jobs.map(({ mailbox }) => mailbox);
    if (isContinued) this.transactions.at(-1)?.push(...mailboxes);
    else {
      this.transactions.push(mailboxes);
      this.answeredInTransaction = 0;
      this.acceptedInTransaction = 0;
    }
    this.#pending.push(...jobs);
    this.outstanding += jobs.length;
    this.askedCount += jobs.length;
  }

  /** The host answers the oldest questions, in one read. */
  answer(...replies: string[]): void {
    for (const reply of replies) {
      const job = this.#pending.shift() as Job;
      this.outstanding -= 1;
      this.#owner.onAnswer(this, job, Number(reply.slice(0, 3)), reply.slice(4));
      this.answeredCount += 1;
      this.answeredSinceIdle += 1;
      this.answeredInTransaction += 1;
      if (reply.startsWith('250')) this.acceptedInTransaction += 1;
    }
    this.#owner.onRead(this);
  }

  /** The host refuses our sender for the oldest question. */
  refuseSender(code: number, text: string): void {
    const job = this.#pending.shift() as Job;
    this.outstanding -= 1;
    this.#owner.onSenderRefused(this, job, code, text);
    this.#owner.onRead(this);
  }

  end(ending: SessionEnding): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    const unanswered = this.#pending;
    this.#pending = [];
    this.outstanding = 0;
    this.#owner.onEnd(this, ending, unanswered);
  }

  quit(): void {
    if (!this.isReady || this.outstanding > 0) this.abort();
    else if (this.#state === 'open') this.#state = 'quitting';
  }

  abort(): void {
    this.end({ kind: 'aborted' });
  }

  get state() {
    return this.#state;
  }

  get isIdle(): boolean {
    return this.#state === 'open' && this.outstanding === 0;
  }

  get isLeaving(): boolean {
    return this.#state === 'quitting' || this.#state === 'over';
  }

  pending(): Iterable<Job> {
    return this.#pending;
  }
}
