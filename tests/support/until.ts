import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 50;

/** A time limit for a series of waits. */
export class Deadline {
  readonly #at: number;
  readonly #whyInVain: () => string | undefined;
  /** Returns a reason to stop waiting; called at each check. */
  constructor(afterMs: number, whyInVain: () => string | undefined = () => undefined) {
    this.#at = performance.now() + afterMs;
    this.#whyInVain = whyInVain;
  }

  /**
   * Waits for a state and returns it. A check that throws counts as not yet, because the product may be
   * restarting.
   */
  async until<Found>(
    what: string,
    look: () => Promise<Found | null | undefined | false>,
    everyMs = lookEveryMs,
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
