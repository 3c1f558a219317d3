import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 20;

/** A moment by which everything must have come true. */
export class Deadline {
  readonly #at: number;
  readonly #whyInVain: () => string | undefined;
  /** What makes waiting pointless is asked at each look. */
  constructor(afterMs: number, whyInVain: () => string | undefined = () => undefined) {
    this.#at = performance.now() + afterMs;
    this.#whyInVain = whyInVain;
  }

  /**
   * Waits for a state and answers what was found. A look that fails is a look at nothing yet: what is looked at may be
   * just about to start again.
   */
  async until<Found>(
    what: string,
    look: () => Promise<Found | null | undefined | false>,
    everyMs = lookEveryMs,
  ): Promise<Found> {
    let problem: unknown;
    while (performance.now() < this.#at) {
      const inVain = this.#whyInVain();
      if (inVain !== undefined) throw new Error(`No use in waiting until ${what}: ${inVain}.`);
      try {
        const found = await look();
        if (found) return found;
        problem = undefined;
      } catch (error) {
        problem = error;
      }
      await pause(everyMs);
    }
    throw new Error(`Waited in vain until ${what}.`, { cause: problem });
  }
}
