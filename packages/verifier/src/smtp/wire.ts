import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { DialGuard } from '../net/dial-guard.ts';
import { Deadline } from './deadline.ts';
import { type DialFailure, dialHost } from './dial-host.ts';
import type { Egress } from './egress.ts';
import { encrypt } from './encrypt.ts';
import type { ReadTurns } from './read-turns.ts';
import { ReplyParser } from './reply-parser.ts';

export interface WireSettings {
  guard: DialGuard;
  egress: Egress;
  clock: Clock;
  readTurns: ReadTurns;
}

/** What one read contained. */
export interface ReadSummary {
  readonly replyCount: number;
  /** False if it was not SMTP; the connection is then useless. */
  readonly isSmtp: boolean;
  /** Whether it ended in the middle of a reply. */
  readonly hasPartialReply: boolean;
}

/** The session that uses the wire. */
export interface WireOwner {
  /** How many replies the host owes us. */
  readonly dueCount: number;
  onConnected(ip: string): void;
  onDialFailed(failure: DialFailure, ip: string): void;
  /** `isUnasked`: more replies than we had commands open when the bytes arrived. */
  onReply(code: number, text: string, isUnasked: boolean): void;
  /** All replies of one read have been reported. */
  onRead(read: ReadSummary): void;
  onEncrypted(): void;
  onClosed(): void;
  /** The deadline has passed. */
  onLate(): void;
}

/** A read that answers more commands than this takes its turn. */
const longReadFrom = 4;
// So that a host cannot fill our memory while its replies wait.
const unreadCharactersMax = 262_144;

/** The socket below a session: dials, cuts bytes into replies, sends commands, encrypts and watches the deadline. */
export class Wire {
  readonly #settings: WireSettings;
  readonly #owner: WireOwner;
  readonly #parser: ReplyParser;
  readonly #deadline: Deadline;
  #socket: Socket | undefined;
  #stopDialling: () => void = ignore;
  #isOver = false;
  /** Text that waits for its turn, by how many replies were due when it arrived. */
  #unread: { text: string; readonly replyCountMax: number }[] = [];
  #unreadCharacters = 0;
  #replyCount = 0;
  #replyCountMax = 0;
  /** Commands that leave at the end of this turn. */
  #unsent = '';
  #unsentEncoding: 'latin1' | 'utf8' = 'latin1';
  /** When the latest bytes arrived. */
  readAt = 0;

  constructor(settings: WireSettings, owner: WireOwner) {
    this.#settings = settings;
    this.#owner = owner;
    this.#parser = new ReplyParser((code, text) => this.#onReply(code, text));
    this.#deadline = new Deadline(settings.clock, () => this.#onLate());
  }

  connect(ips: readonly string[], firstIp: number, timeoutMs: number): void {
    const { guard, egress, clock } = this.#settings;
    this.#stopDialling = dialHost({
      ips,
      firstIp,
      guard,
      egress,
      clock,
      timeoutMs,
      onConnected: (socket, ip) => {
        this.#socket = socket;
        this.#owner.onConnected(ip);
        this.#listen(socket);
      },
      onBytes: this.#onBytes,
      onFailed: (failure, ip) => this.#owner.onDialFailed(failure, ip),
    });
  }

  #listen(socket: Socket): void {
    socket.on('error', this.#onClose);
    socket.on('close', this.#onClose);
    socket.on('end', this.#onClose);
  }

  /** The host has so long for its next reply. */
  setDeadline(delayMs: number): void {
    this.#deadline.set(delayMs);
  }

  liftDeadline(): void {
    this.#deadline.lift();
  }

  /** Sends a command at once. */
  sendNow(line: string, encoding: 'latin1' | 'utf8' = 'latin1'): void {
    this.#socket?.write(line, encoding);
  }

  /** Sends commands at the end of this turn. All that are sent in one turn leave in one packet. */
  send(lines: string, encoding: 'latin1' | 'utf8'): void {
    if (this.#unsent === '') process.nextTick(this.#flush);
    this.#unsent += lines;
    // Text for latin1 is ASCII, so it is the same in UTF-8.
    if (encoding === 'utf8') this.#unsentEncoding = encoding;
  }

  readonly #flush = (): void => {
    const lines = this.#unsent;
    const encoding = this.#unsentEncoding;
    this.#unsent = '';
    this.#unsentEncoding = 'latin1';
    if (!this.#isOver) this.#socket?.write(lines, encoding);
  };

  readonly #onBytes = (bytes: Buffer): void => {
    this.readAt = this.#settings.clock.now();
    const wasWaiting = this.#unread.length > 0;
    const text = bytes.toString('latin1');
    const last = this.#unread.at(-1);
    // Now and not when their turn comes: the owner may have sent more commands by then.
    const replyCountMax = this.#owner.dueCount;
    if (last?.replyCountMax === replyCountMax) last.text += text;
    else this.#unread.push({ text, replyCountMax });
    this.#unreadCharacters += text.length;
    const isLong = replyCountMax > longReadFrom && this.#unreadCharacters <= unreadCharactersMax;
    if (!isLong) this.#readNow();
    else if (!wasWaiting) this.#settings.readTurns.add(this.#readNow);
  };

  /** Handles the text that waits; returns whether there was a reply in it. */
  readonly #readNow = (): boolean => {
    const unread = this.#unread;
    this.#unread = [];
    this.#unreadCharacters = 0;
    if (unread.length === 0 || this.#isOver) return false;
    this.#replyCount = 0;
    const isSmtp = unread.every(({ text, replyCountMax }) => {
      this.#replyCountMax = replyCountMax;
      return this.#parser.feed(text);
    });
    const replyCount = this.#replyCount;
    if (!this.#isOver)
      this.#owner.onRead({ replyCount, isSmtp, hasPartialReply: this.#parser.hasPartialReply });
    return replyCount > 0;
  };

  #onReply(code: number, text: string): void {
    if (this.#isOver) return;
    this.#replyCount += 1;
    this.#owner.onReply(code, text, this.#replyCount > this.#replyCountMax);
  }

  readonly #onClose = (): void => {
    this.#readNow();
    if (!this.#isOver) this.#owner.onClosed();
  };

  #onLate(): void {
    if (!this.#readNow() && !this.#isOver) this.#owner.onLate();
  }

  encrypt(host: string): void {
    const plain = this.#socket as Socket;
    plain.removeListener('end', this.#onClose);
    plain.removeListener('close', this.#onClose);
    plain.removeListener('error', this.#onClose);
    plain.on('error', ignore);
    const secure = encrypt(plain, host);
    this.#socket = secure;
    secure.on('data', this.#onBytes);
    this.#listen(secure);
    secure.once('secureConnect', () => {
      if (!this.#isOver) this.#owner.onEncrypted();
    });
  }

  /** Closes our side. The owner is told when the host has closed too. */
  close(): void {
    this.#socket?.end();
  }

  /** Drops the connection without a further event. */
  destroy(): void {
    this.#isOver = true;
    this.#deadline.end();
    this.#stopDialling();
    const socket = this.#socket;
    if (socket === undefined) return;
    socket.removeAllListeners();
    socket.on('error', ignore);
    socket.destroy();
  }
}

function ignore(): void {}
