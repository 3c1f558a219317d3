import type { Socket } from 'node:net';
import type { Manner } from '../zone/plan.ts';
import type { Agenda } from './agenda.ts';

/** What becomes of the connection once a reply is out. */
export type After = 'close' | 'reset' | (() => void);

interface Utterance {
  dueMs: number;
  text: string;
  after?: After;
}

/** Says replies in order, each when it is due, in the manner of its host. Replies due together travel together. */
export class Speaker {
  /** The connection, or what TLS has made of it. */
  socket: Socket;
  readonly #rawSocket: Socket;
  readonly #agenda: Agenda;
  readonly #encoding: 'utf8' | 'latin1';
  readonly #isOneByte: boolean;
  readonly #hasBareLineFeeds: boolean;
  #queue: Utterance[] = [];
  #isWaiting = false;

  constructor(socket: Socket, agenda: Agenda, manners: Manner[]) {
    this.socket = socket;
    this.#rawSocket = socket;
    this.#agenda = agenda;
    this.#encoding = manners.includes('latin1') ? 'latin1' : 'utf8';
    this.#isOneByte = manners.includes('one-byte');
    this.#hasBareLineFeeds = manners.includes('bare-lf');
  }

  /** Whether something is still to be said. */
  get isBusy(): boolean {
    return this.#queue.length > 0;
  }

  say(text: string, delayMs: number, nowMs: number, after?: After): void {
    const wording = this.#hasBareLineFeeds ? text.replaceAll('\r\n', '\n') : text;
    const dueMs = nowMs + delayMs;
    if (this.#isOneByte && wording !== '') this.#spell(wording, dueMs, after);
    else this.#enqueue(wording, dueMs, after);
  }

  /** Says what is due now, and comes back for the rest; a reply that is due waits for the one before it. */
  flush(): void {
    const now = this.#agenda.now();
    while (this.#queue[0] && this.#queue[0].dueMs <= now) {
      const utterance = this.#queue.shift();
      if (utterance) this.#utter(utterance);
      // Each byte has a moment of its own, or the system would send several in one packet.
      if (this.#isOneByte && this.#queue[0]) this.#queue[0].dueMs = Math.max(this.#queue[0].dueMs, now + 1);
    }
    const next = this.#queue[0];
    if (!next || this.#isWaiting) return;
    this.#isWaiting = true;
    this.#agenda.at(next.dueMs, this.#flushWhenDue);
  }

  /** Forgets what was still to be said. */
  stop(): void {
    this.#queue = [];
  }

  readonly #flushWhenDue = (): void => {
    this.#isWaiting = false;
    this.flush();
  };

  #enqueue(text: string, dueMs: number, after?: After): void {
    const last = this.#queue.at(-1);
    if (last && last.dueMs === dueMs && last.after === undefined) {
      last.text += text;
      last.after = after;
    } else this.#queue.push({ dueMs, text, after });
  }

  #spell(text: string, dueMs: number, after?: After): void {
    const bytes = Buffer.from(text, this.#encoding).toString('latin1');
    for (const byte of bytes.slice(0, -1)) this.#queue.push({ dueMs, text: byte });
    this.#queue.push({ dueMs, text: bytes.slice(-1), after });
  }

  #utter({ text, after }: Utterance): void {
    if (this.socket.destroyed) return;
    if (text !== '') this.socket.write(text, this.#isOneByte ? 'latin1' : this.#encoding);
    if (after === 'close') this.socket.end();
    else if (after === 'reset') this.#rawSocket.resetAndDestroy();
    else after?.();
  }
}
