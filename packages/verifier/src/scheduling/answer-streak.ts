export type AnswerKind = 'accepted' | 'refused';

const countMaxAtFirst = { accepted: 2, refused: 1 } as const;
const countMaxAtLast = { accepted: 64, refused: 16 } as const;
const changedForMs = 3_600_000;

/**
 * The latest answers of a domain. Some hosts change their answers after some recipients, and then accept or refuse everyone.
 * Answers of both kinds show that a host still tells mailboxes apart. After too many of one kind in a row, it is asked
 * again about a name whose answer we know, and the answers of the streak wait for that.
 */
export class AnswerStreak {
  #kind: AnswerKind = 'accepted';
  #count = 0;
  /** How many answers of one kind in a row are believed; doubles with each control that bears them out. */
  readonly #countMax: Record<AnswerKind, number> = { ...countMaxAtFirst };
  #changedAt: number | undefined;

  add(kind: AnswerKind): void {
    if (this.#kind !== kind) this.#count = 0;
    this.#kind = kind;
    this.#count += 1;
  }

  isTooLong(kind: AnswerKind, countMin = 0): boolean {
    return this.#kind === kind && this.#count >= Math.max(this.#countMax[kind], countMin);
  }

  /** A control has borne out the answers of this kind. */
  confirm(kind: AnswerKind): void {
    if (this.isTooLong(kind)) {
      this.#countMax[kind] = Math.min(this.#countMax[kind] * 2, countMaxAtLast[kind]);
    }
    if (this.#kind === kind) this.#count = 0;
  }

  /** A control has shown that the host changed its answers. */
  refute(now: number): void {
    this.#changedAt = now;
  }

  isRefuted(now: number): boolean {
    return this.#changedAt !== undefined && now - this.#changedAt < changedForMs;
  }
}
