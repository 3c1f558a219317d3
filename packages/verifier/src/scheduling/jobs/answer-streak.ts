import { newProbeState, type ProbeState } from './probe-state.ts';

export type AnswerKind = 'accepted' | 'refused';

const countMaxAtFirst = { accepted: 2, refused: 1 } as const;
const countMaxAtLast = { accepted: 8, refused: 4 } as const;

/** Answers of one kind in a row that a connection gave about mailboxes of one domain. */
export class AnswerStreak<Connection, Waiting> {
  readonly connection: Connection;
  readonly kind: AnswerKind;
  count = 1;
  /** When the latest of them arrived. */
  latestAt: number;
  /** Whether the connection showed after these answers that it still tells mailboxes apart. */
  isConfirmed = false;
  /** Whether the last transaction with answers of this streak is complete. */
  isTransactionOver = false;
  #question: ProbeState<Waiting> | undefined;

  constructor(connection: Connection, kind: AnswerKind, now: number) {
    this.connection = connection;
    this.kind = kind;
    this.latestAt = now;
  }

  /** The question to this connection that confirms the streak, and the addresses that wait for it. */
  get question(): ProbeState<Waiting> {
    this.#question ??= newProbeState();
    return this.#question;
  }

  get hasWaiting(): boolean {
    return this.#question !== undefined && this.#question.waiting.length > 0;
  }
}

/**
 * The latest answers of a domain on each connection. Some hosts change their answers after some recipients of a
 * connection, and then accept or refuse everyone. Answers of both kinds show that a host still tells mailboxes apart.
 * Answers of one kind wait until their transaction is complete. Then the connection is asked about a name whose answer
 * we know.
 */
export class AnswerStreaks<Connection extends object, Waiting> {
  readonly #latest = new WeakMap<Connection, AnswerStreak<Connection, Waiting>>();
  /** How many answers of one kind in a row short transactions may give unchecked; doubles with each confirmation. */
  readonly #countMax: Record<AnswerKind, number> = { ...countMaxAtFirst };

  add(connection: Connection, kind: AnswerKind, now: number): AnswerStreak<Connection, Waiting> {
    const latest = this.#latest.get(connection);
    if (latest !== undefined && latest.kind === kind && !latest.isConfirmed) {
      latest.count += 1;
      latest.latestAt = now;
      latest.isTransactionOver = false;
      return latest;
    }
    if (latest !== undefined && latest.kind !== kind) latest.isConfirmed = true;
    const streak = new AnswerStreak<Connection, Waiting>(connection, kind, now);
    this.#latest.set(connection, streak);
    return streak;
  }

  latestOn(connection: Connection): AnswerStreak<Connection, Waiting> | undefined {
    return this.#latest.get(connection);
  }

  /** Whether these are more answers of one kind than may go unchecked; a question may be dearer than usual. */
  isTooLong({ kind, count }: AnswerStreak<Connection, Waiting>, price = 1): boolean {
    return count >= this.#countMax[kind] * price;
  }

  /** The connection has shown that its latest answers of this kind are right. */
  confirm(connection: Connection | undefined, kind: AnswerKind): void {
    const latest = connection && this.#latest.get(connection);
    if (latest?.kind !== kind || latest.isConfirmed) return;
    latest.isConfirmed = true;
    if (this.isTooLong(latest)) {
      this.#countMax[kind] = Math.min(this.#countMax[kind] * 2, countMaxAtLast[kind]);
    }
  }
}
