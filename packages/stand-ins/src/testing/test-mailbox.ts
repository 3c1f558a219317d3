import { EventEmitter, once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  to: string[];
  source: string;
}

/** A relay on loopback that keeps what it is given. */
export interface TestMailbox {
  url: string;
  mails: Mail[];
  /** Waits for the next mail to this address that was not taken yet. */
  take(to: string): Promise<Mail>;
  /** From now on every message is refused, with this reply. */
  refuse(reply?: { readonly code: number; readonly text: string }): void;
  /** From now on every message is taken again. */
  accept(): void;
  close(): Promise<void>;
}

/** On a free port, or on the one where something is expected to come up. */
export async function startTestMailbox({ port = 0 } = {}): Promise<TestMailbox> {
  const mails: Mail[] = [];
  const taken = new Set<Mail>();
  const arrivals = new EventEmitter();
  let refusal: { readonly code: number; readonly text: string } | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(
        refusal && Object.assign(new Error(`${refusal.text} <${address}>`), { responseCode: refusal.code }),
      ),
    onData: (stream, session, done) => {
      text(stream).then((source) => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source });
        arrivals.emit('mail');
        done();
      }, done);
    },
  });
  const address = await new Promise<{ port: number }>((resolve, reject) => {
    server.on('error', reject);
    const listener = server.listen(port, '127.0.0.1', () => resolve(listener.address() as { port: number }));
  });

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    take: async (to) => {
      const next = () => mails.find((mail) => !taken.has(mail) && mail.to.includes(to));
      let mail = next();
      while (!mail) {
        await once(arrivals, 'mail');
        mail = next();
      }
      taken.add(mail);
      return mail;
    },
    refuse: (reply = { code: 550, text: 'no room for' }) => {
      refusal = reply;
    },
    accept: () => {
      refusal = undefined;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export function codeIn(mail: Mail): string {
  const code = /Your code is (\d{6})/.exec(mail.source)?.[1];
  if (!code) throw new Error(`No code in the mail:\n${mail.source}`);
  return code;
}
