import { setTimeout as pause } from 'node:timers/promises';

/** A time limit for a series of waits. */
export class Deadline {
  readonly #at: number;
  readonly #whyInVain: () => string | undefined;
  readonly #lookEveryMs: number;
  /** `whyInVain` returns a reason to stop waiting; called at each check. */
  constructor(
    afterMs: number,
    whyInVain: () => string | undefined = () => undefined,
    { lookEveryMs = 50 }: { readonly lookEveryMs?: number } = {},
  ) {
    this.#at = performance.now() + afterMs;
    this.#whyInVain = whyInVain;
    this.#lookEveryMs = lookEveryMs;
  }

  /** The same limit, for waits whose checks cost more than a moment matters. */
  lookingEvery(lookEveryMs: number): Deadline {
    return new Deadline(this.#at - performance.now(), this.#whyInVain, { lookEveryMs });
  }

  /**
   * Waits for a state and returns it. A check that throws counts as not yet, because the product may be
   * restarting.
   */
  async until<Found>(
    what: string,
    look: () => Promise<Found | null | undefined | false>,
    everyMs = this.#lookEveryMs,
  ): Promise<Found> {
    let problem: unknown;
    while (performance.now() < this.#at) {
      const inVain = this.#whyInVain();
      if (inVain !== undefined) throw new Error(`Stopped waiting until ${what}: ${inVain}.`);
      try {
        const found = await look();
        if (found) return found;
        problem = undefined;
      } catch (error) {
        problem = error;
      }
      await pause(everyMs);
    }
    throw new Error(`Timed out waiting until ${what}.`, { cause: problem });
  }
}
