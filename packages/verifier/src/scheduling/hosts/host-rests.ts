import type { EvidenceStage } from '../../evidence.ts';
import type { ReplyClass } from '../../judgement/classify-reply.ts';
import { replaceMailbox } from '../../judgement/echoed-mailbox.ts';
import type { Job } from '../jobs/job.ts';
import type { HostPause, PoolParts } from './pool-services.ts';

// Several connections report the same rest, each a moment later.
const samePauseMs = 1_000;

/** Leaves a host alone when it or its provider asks for it, and returns the jobs that do not wait so long. */
export class HostRests {
  readonly #parts: PoolParts;
  readonly #onOver: () => void;
  #pause: HostPause | undefined;

  constructor(parts: PoolParts, onOver: () => void) {
    this.#parts = parts;
    this.#onOver = onOver;
  }

  /** Returns a new job at once if it does not wait for the end of the pause. */
  turnsAway(job: Job): boolean {
    if (this.#pause === undefined) return false;
    const { until, found, stage } = this.#pause;
    const { owner } = this.#parts.services;
    const leftMs = until - this.#now();
    if (leftMs <= 0 || owner.waitsUntil(job, until, false)) return false;
    owner.onHeldOff(job, found, leftMs, stage);
    return true;
  }

  /** The host wants a pause: starts one and informs the processes that share our permits. */
  start(found: ReplyClass, stage: EvidenceStage): void {
    const { manners, services, place } = this.#parts;
    const now = this.#now();
    if (manners.isPaused(now)) return;
    const forMs = manners.pauseMs(found.retryAfterMs);
    services.permits.holdOff?.(place, forMs, 'host');
    this.rest({ until: now + forMs, found, stage });
  }

  /** Another process that shares the permits says that the host wants a pause. */
  startForOthers(forMs: number): void {
    const found: ReplyClass = { meaning: 'slow_down', reason: 'throttled', rule: 'told-elsewhere' };
    const note = `asked to be left alone for ${Math.ceil(forMs / 1_000)} s`;
    const stage: EvidenceStage = { stage: 'connect', host: this.#parts.name, note, rule: found.rule };
    this.rest({ until: this.#now() + forMs, found, stage });
  }

  /**
   * Starts a rest of the whole provider after a reply for which data/providers.json names one. Sets the mailbox aside: a
   * quoted local part may hold the words of such a reply.
   */
  startForProvider(text: string, found: ReplyClass, stage: EvidenceStage, mailbox?: string): boolean {
    const { provider, services, place } = this.#parts;
    if (found.meaning === 'accepted' || found.meaning === 'refused') return false;
    const rest = provider.restAfter?.(mailbox === undefined ? text : replaceMailbox(text, mailbox));
    if (rest === undefined) return false;
    services.permits.holdOff?.(place, rest.forMs, 'provider');
    services.neighbours.onProviderRests(provider.name, {
      until: this.#now() + rest.forMs,
      found: { meaning: 'slow_down', reason: found.reason, rule: found.rule },
      stage: { ...stage, limit: rest.limit },
    });
    return true;
  }

  /** Leaves the host alone, unless it already rests for longer. */
  rest(pause: HostPause): void {
    const { manners, services, queue, progress } = this.#parts;
    const { until, found, stage } = pause;
    const now = this.#now();
    const forMs = until - now;
    const isKnown = manners.isPaused(now) && (this.#pause?.until ?? 0) + samePauseMs >= until;
    if (forMs <= 0 || isKnown) return;
    const { isRepeated } = manners.pauseUntil(until);
    this.#pause = pause;
    progress.stop();
    const { owner, agenda } = services;
    agenda.at(until, this.#onOver);
    for (const job of queue.removeWhere((waiting) => !owner.waitsUntil(waiting, until, isRepeated))) {
      // The host answers nobody, so this was an attempt even if it was not asked about this job.
      if (isRepeated) job.deferralCount += 1;
      owner.onHeldOff(job, found, forMs, stage);
    }
  }

  #now(): number {
    return this.#parts.services.clock.now();
  }
}
