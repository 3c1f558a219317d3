import type { Question } from './session-types.ts';

/** A command other than RCPT. The greeting counts as one, because a reply is due before the first command. */
export type Verb = 'GREETING' | 'EHLO' | 'HELO' | 'STARTTLS' | 'RSET' | 'MAIL' | 'QUIT';

/** A verb, or the question of an RCPT. */
export type Command<Q extends Question> = Verb | Q;

export const isQuestion = <Q extends Question>(command: Command<Q> | undefined): command is Q =>
  typeof command === 'object';

interface WaitingCommand<Q extends Question> {
  readonly line: string;
  readonly command: Command<Q>;
}

/** The commands of a session that have no reply yet: sent ones in the order of their replies, then those that wait. */
export class CommandQueue<Q extends Question> {
  #sent: Command<Q>[] = [];
  /** The commands before this index have their reply. */
  #sentFrom = 0;
  #waiting: WaitingCommand<Q>[] = [];

  /** How many replies the host owes us. */
  get dueCount(): number {
    return this.#sent.length - this.#sentFrom;
  }

  /** The command that the next reply answers. */
  get oldest(): Command<Q> | undefined {
    return this.#sent[this.#sentFrom];
  }

  addSent(command: Command<Q>): void {
    this.#sent.push(command);
  }

  /** Adds a command that may be sent only when the host owes no reply. */
  addWaiting(line: string, command: Command<Q>): void {
    this.#waiting.push({ line, command });
  }

  /** The oldest command has its reply. */
  removeOldest(): void {
    this.#sentFrom += 1;
    if (this.#sentFrom < this.#sent.length) return;
    this.#sent.length = 0;
    this.#sentFrom = 0;
  }

  /** The next waiting command if it may be sent now. */
  get sendable(): Command<Q> | undefined {
    return this.dueCount > 0 ? undefined : this.#waiting[0]?.command;
  }

  dropSendable(): void {
    this.#waiting.shift();
  }

  /** The next waiting command if it may be sent now; it counts as sent. */
  takeSendable(): WaitingCommand<Q> | undefined {
    if (this.dueCount > 0) return undefined;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#sent.push(next.command);
    return next;
  }

  /** Removes and returns the questions that wait for the current transaction. */
  takeWaitingQuestions(): Q[] {
    const questions: Q[] = [];
    for (let next = this.#waiting[0]?.command; isQuestion(next); next = this.#waiting[0]?.command) {
      questions.push(next);
      this.#waiting.shift();
    }
    return questions;
  }

  /** Every question without a reply. */
  *questions(): Iterable<Q> {
    for (let index = this.#sentFrom; index < this.#sent.length; index++) {
      const command = this.#sent[index];
      if (isQuestion(command)) yield command;
    }
    for (const { command } of this.#waiting) if (isQuestion(command)) yield command;
  }

  clear(): void {
    this.#sent = [];
    this.#sentFrom = 0;
    this.#waiting = [];
  }
}
