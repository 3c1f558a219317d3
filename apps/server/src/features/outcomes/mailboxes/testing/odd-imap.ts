import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { createServer, type TLSSocket } from 'node:tls';

const certificates = new URL('./certificates/', import.meta.url);
const contentsOf = (name: string) => readFileSync(new URL(name, certificates), 'utf8');

/** Answers one command: untagged lines, before the command is said to be done. Undefined if it is never done. */
type Answer = (command: { readonly text: string; readonly socket: TLSSocket }) => string[] | undefined;

/** What a test changes of how the host answers, by command. */
export type OddAnswers = Readonly<Record<string, Answer>> & { readonly greeting?: Answer };

export const plainAnswers: Readonly<Record<string, Answer>> = {
  greeting: () => ['* OK ready'],
  CAPABILITY: () => ['* CAPABILITY IMAP4rev1'],
  LIST: () => ['* LIST () "/" INBOX'],
  EXAMINE: () => ['* 2 EXISTS', '* OK [UIDVALIDITY 7] ok', '* OK [UIDNEXT 3] ok'],
  LOGOUT: () => ['* BYE'],
};

/** An IMAP host on loopback that speaks the protocol as far as we use it, but for the answers that a test gives it. */
export async function startOddImap(answers: OddAnswers) {
  const sockets = new Set<TLSSocket>();
  const server = createServer({ key: contentsOf('host.key.pem'), cert: contentsOf('host.pem') }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    const say = (lines: readonly string[]) => socket.write(lines.map((line) => `${line}\r\n`).join(''));
    const answer = (name: string, text: string) =>
      (answers[name] ?? plainAnswers[name] ?? (() => []))({ text, socket });
    say(answer('greeting', '') ?? []);
    createInterface({ input: socket }).on('line', (line) => {
      const [tag = '', first = '', second = ''] = line.split(' ');
      const name = first === 'UID' ? second : first;
      const lines = answer(name, line);
      if (lines) say([...lines, `${tag} OK done`]);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    login: { host: 'imap.bounces.test', userName: 'bounces', password: 'a secret word', folder: 'INBOX' },
    options: {
      allowRanges: [`127.0.0.1/32@${port}`],
      resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
      port,
      ca: contentsOf('host.pem'),
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Writes the same text again and again until the other side leaves. */
export function sendForever({ socket }: { readonly socket: TLSSocket }, text: string): undefined {
  const send = () => {
    if (socket.destroyed) return;
    if (socket.write(text)) setImmediate(send);
    else socket.once('drain', send);
  };
  send();
}
