export type AnswerKind = 'accepted' | 'refused';

const countMaxAtFirst = { accepted: 2, refused: 1 } as const;
const countMaxAtLast = { accepted: 64, refused: 16 } as const;
const changedForMs = 3_600_000;

/**
 * The latest answers of a domain on each connection. Some hosts change their answers after some recipients of a
 * connection, and then accept or refuse everyone. Answers of both kinds show that a host still tells mailboxes apart.
 * After too many of one kind in a row, the same connection is asked again about a name whose answer we know, and the
 * answers of the streak wait for that.
 */
export class AnswerStreaks {
  readonly #latest = new WeakMap<object, { kind: AnswerKind; count: number }>();
  /** How many answers of one kind in a row are believed; doubles with each control that bears them out. */
  readonly #countMax: Record<AnswerKind, number> = { ...countMaxAtFirst };
  #changedAt: number | undefined;

  add(connection: object, kind: AnswerKind): void {
    const streak = this.#latest.get(connection);
    if (streak?.kind === kind) streak.count += 1;
    else this.#latest.set(connection, { kind, count: 1 });
  }

  isTooLong(connection: object | undefined, kind: AnswerKind, countMin = 0): boolean {
    const streak = connection && this.#latest.get(connection);
    return streak?.kind === kind && streak.count >= Math.max(this.#countMax[kind], countMin);
  }

  /** A control on this connection has borne out its answers of this kind. */
  confirm(connection: object | undefined, kind: AnswerKind): void {
    const streak = connection && this.#latest.get(connection);
    if (streak?.kind !== kind) return;
    if (this.isTooLong(connection, kind)) {
      this.#countMax[kind] = Math.min(this.#countMax[kind] * 2, countMaxAtLast[kind]);
    }
    streak.count = 0;
  }

  /** A control has shown that the host changed its answers. */
  refute(now: number): void {
    this.#changedAt = now;
  }

  isRefuted(now: number): boolean {
    return this.#changedAt !== undefined && now - this.#changedAt < changedForMs;
  }
}
