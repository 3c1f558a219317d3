import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TLSSocket, connect as upgrade } from 'node:tls';
import type { MailWorld } from '../index.ts';

/** A client that sends exactly the bytes of a test, and reads replies line by line. */
export class SmtpTalk {
  #socket: Socket | TLSSocket;
  #heard = '';
  #isOver = false;
  #wake: () => void = () => {};
  /** Chunks as they came from the network, for tests of how a host speaks. */
  readonly chunks: Buffer[] = [];
  errorCode: string | undefined;

  constructor(world: MailWorld, hostName: string) {
    this.#socket = connect({ host: world.addressOf(hostName), port: world.smtpPort, noDelay: true });
    this.#listen();
  }

  #listen(): void {
    this.#socket.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.#heard += chunk.toString('latin1');
      this.#wake();
    });
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      this.errorCode = error.code;
    });
    this.#socket.on('close', () => {
      this.#isOver = true;
      this.#wake();
    });
  }

  say(text: string | Buffer): this {
    this.#socket.write(text);
    return this;
  }

  /** The next whole reply, its lines joined by `\n`; the last text when the host hangs up instead. */
  async reply(): Promise<string> {
    for (;;) {
      const match = /^(?:\d{3}-.*\r?\n)*\d{3}(?: .*)?\r?\n/.exec(this.#heard);
      if (match) {
        this.#heard = this.#heard.slice(match[0].length);
        return match[0].trimEnd().replaceAll('\r', '');
      }
      if (this.#isOver) return '(closed)';
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async replies(count: number): Promise<string[]> {
    const replies: string[] = [];
    while (replies.length < count) replies.push(await this.reply());
    return replies;
  }

  async ask(command: string): Promise<string> {
    return this.say(`${command}\r\n`).reply();
  }

  /** From the banner to an open transaction. */
  async openTransaction(sender = 'probe@verifier.test'): Promise<void> {
    await this.reply();
    await this.ask('EHLO verifier.test');
    await this.ask(`MAIL FROM:<${sender}>`);
  }

  async startTls(): Promise<void> {
    this.#socket.removeAllListeners('data');
    const secure = upgrade({ socket: this.#socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    this.#socket = secure;
    this.#listen();
  }

  async closed(): Promise<void> {
    while ((await this.reply()) !== '(closed)');
  }

  async end(): Promise<void> {
    this.#socket.destroy();
    await this.closed();
  }
}
