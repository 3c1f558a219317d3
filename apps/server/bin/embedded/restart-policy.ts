const delayMs = { first: 500, max: 15_000 } as const;
/** A part that fails this often right after its start will hardly recover by itself. */
const hopelessAfter = 4;

export interface NextStart {
  readonly delayMs: number;
  /** True once per row of failures. */
  readonly looksHopeless: boolean;
}

/** Decides when a part that ended by itself starts again: soon after a long run, later each time after a failure at the start. */
export class RestartPolicy {
  #delayMs = delayMs.first / 2;
  #earlyEnds = 0;

  afterEnd(ranMs: number): NextStart {
    const ranWell = ranMs > delayMs.max;
    this.#delayMs = ranWell ? delayMs.first : Math.min(this.#delayMs * 2, delayMs.max);
    this.#earlyEnds = ranWell ? 0 : this.#earlyEnds + 1;
    return { delayMs: this.#delayMs, looksHopeless: this.#earlyEnds === hopelessAfter };
  }
}
