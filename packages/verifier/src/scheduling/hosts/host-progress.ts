import type { Clock } from '../../clock.ts';
import { Deadline } from '../../smtp/deadline.ts';

/**
 * Every reply has a time limit of its own, but a host could use up each of them, on one connection after the other. A job
 * of the product has 15 minutes, in which an address may meet two such hosts and then wait for a question of our own.
 */
const withoutAnswerMaxMs = 240_000;

/** How long our connections to a host have been open without an answer about an address. Other waits do not count. */
export class HostProgress {
  readonly #clock: Clock;
  readonly #deadline: Deadline;
  #leftMs = withoutAnswerMaxMs;
  #runsSince: number | undefined;

  constructor(clock: Clock, onStalled: () => void) {
    this.#clock = clock;
    this.#deadline = new Deadline(clock, () => {
      this.restart();
      onStalled();
    });
  }

  /** There is a connection, and the host does not rest. */
  run(): void {
    if (this.#runsSince !== undefined) return;
    this.#runsSince = this.#clock.now();
    this.#deadline.set(this.#leftMs);
  }

  /** There is no connection, or the host rests. */
  stop(): void {
    if (this.#runsSince === undefined) return;
    this.#leftMs -= this.#clock.now() - this.#runsSince;
    this.#runsSince = undefined;
    this.#deadline.end();
  }

  /** The host has answered about an address, or has a new one to answer. */
  restart(): void {
    this.#leftMs = withoutAnswerMaxMs;
    if (this.#runsSince === undefined) return;
    this.#runsSince = this.#clock.now();
    this.#deadline.set(withoutAnswerMaxMs);
  }
}
