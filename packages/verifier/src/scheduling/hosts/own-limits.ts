import type { ProviderGate } from '../../conduct/provider-gate.ts';
import { type EvidenceStage, ownLimitNote, ownLimitRule } from '../../evidence.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';

import type { Job } from '../jobs/job.ts';
import type { PoolParts } from './pool-services.ts';

/** Keeps a pool within what its provider may be asked: returns the jobs that do not wait so long, and wakes the pool. */
export class OwnLimits {
  readonly #parts: PoolParts;
  readonly #gate: ProviderGate;
  readonly #onRoom: () => void;
  /** Until when the jobs of the queue are known to wait, by customer. */
  readonly #waiting = new Map<string, number>();

  constructor(parts: PoolParts, gate: ProviderGate, onRoom: () => void) {
    this.#parts = parts;
    this.#gate = gate;
    this.#onRoom = onRoom;
  }

  /** How many recipients may be asked about now, up to as many as wanted. */
  room(wanted: number): number {
    const room = this.#gate.room(wanted);
    if (room < wanted || this.isShortForSome) this.#holdBack();
    return room;
  }

  /** How many of them may be of this customer. */
  readonly roomOf = (customer: string): number => this.#gate.roomOf(customer);

  /** Whether a customer whose jobs wait must not ask more now. */
  get isShortForSome(): boolean {
    return this.#parts.queue.customers().some((customer) => this.#gate.roomOf(customer) < 1);
  }

  /** Those whose jobs wait and who may ask more now. */
  get customersWithRoom(): string[] {
    return [...this.#parts.queue.customers()].filter((customer) => this.#gate.roomOf(customer) > 0);
  }

  /** Calls the pool when there may be room again. */
  wait(): void {
    this.#gate.watch(this.#onRoom);
  }

  /** Returns a new job at once if it does not wait until there is room. */
  turnsAway(job: Job): boolean {
    const until = this.#gate.fullUntil(job.client.customer);
    if (until === undefined || this.#parts.services.owner.waitsUntil(job, until, false)) return false;
    this.#return(job, until);
    return true;
  }

  /** A question of our own that only its connection may answer cannot wait so long. */
  get controlAnswer(): { found: ReplyClass; stage: EvidenceStage } | undefined {
    const until = this.#gate.fullUntil('');
    if (until === undefined) return undefined;
    const found = { ...slowDown, meaning: 'ask_later' as const, retryAfterMs: until - this.#now() };
    return { found, stage: this.#stage };
  }

  #holdBack(): void {
    const { queue, services } = this.#parts;
    for (const customer of [...queue.customers()]) {
      const until = this.#gate.fullUntil(customer);
      if (until === undefined || this.#waiting.get(customer) === until) continue;
      this.#waiting.set(customer, until);
      const mustGo = (job: Job) =>
        job.client.customer === customer && !services.owner.waitsUntil(job, until, false);
      for (const job of queue.removeWhere(mustGo)) this.#return(job, until);
    }
    for (const [customer, until] of this.#waiting) if (until <= this.#now()) this.#waiting.delete(customer);
  }

  #return(job: Job, until: number): void {
    this.#parts.services.owner.onHeldOff(job, slowDown, until - this.#now(), this.#stage);
  }

  get #stage(): EvidenceStage {
    const { name } = this.#parts;
    return { stage: 'connect', host: name, note: ownLimitNote, limit: this.#gate.words, rule: ownLimitRule };
  }

  #now(): number {
    return this.#parts.services.clock.now();
  }
}

const slowDown: ReplyClass = { meaning: 'slow_down', reason: 'throttled', rule: ownLimitRule };
