import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { type ImapOptions, MailboxFailure, type OpenFolder, withFolder } from './imap-client.ts';
import { type OddAnswers, plainAnswers, sendForever, startOddImap } from './testing/odd-imap.ts';

const { signal } = new AbortController();
let host: Awaited<ReturnType<typeof startOddImap>>;
afterEach(() => host.close());

async function open<Result>(
  answers: OddAnswers,
  use: (folder: OpenFolder) => Promise<Result>,
  options: Partial<ImapOptions> = {},
): Promise<Result> {
  host = await startOddImap(answers);
  return withFolder(host.login, { ...host.options, ...options }, signal, use);
}

const everything = async (folder: OpenFolder) => {
  const sizes = await folder.sizes({ from: 1, to: folder.uidNext - 1 });
  return folder.mails(
    sizes.map(({ uid }) => uid),
    1_000_000,
  );
};
const row = (uid: number, size: number) => `* ${uid} FETCH (UID ${uid} RFC822.SIZE ${size})`;
const mail = (uid: number, text: string) =>
  `* ${uid} FETCH (UID ${uid} BODY[]<0> {${text.length}}\r\n${text})`;
const isForSizes = (text: string) => text.includes('RFC822.SIZE');

const short = { connectionMs: 1_000 };

describe('a mailbox at an odd host', () => {
  it('is read', async () => {
    const mails = await open(
      { FETCH: ({ text }) => (isForSizes(text) ? [row(1, 5), row(2, 5)] : [mail(1, 'one'), mail(2, 'two')]) },
      everything,
    );
    expect(mails.map(({ uid, bytes }) => [uid, bytes.toString()])).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
  });

  it.each<[string, OddAnswers, Partial<ImapOptions>, string]>([
    ['says nothing at all', { greeting: () => [] }, short, 'slow'],
    [
      'sends a little now and then',
      {
        EXAMINE: ({ socket }) => {
          const timer = setInterval(() => socket.write('* OK please wait\r\n'), 50);
          socket.on('close', () => clearInterval(timer));
          return undefined;
        },
      },
      short,
      'slow',
    ],
    [
      'answers with mails that nobody asked for, without an end',
      { FETCH: (command) => sendForever(command, `${row(1, 5)}\r\n`.repeat(100)) },
      {},
      'broken',
    ],
    [
      'says that mails are short, and sends long ones',
      {
        EXAMINE: () => ['* 100 EXISTS', '* OK [UIDVALIDITY 7] ok', '* OK [UIDNEXT 101] ok'],
        FETCH: (command) =>
          isForSizes(command.text)
            ? Array.from({ length: 100 }, (_, n) => row(n + 1, 1))
            : sendForever(command, `${mail(1, 'x'.repeat(1_900_000))}\r\n`),
      },
      {},
      'broken',
    ],
    [
      'sends other lines without an end',
      { FETCH: (command) => sendForever(command, '* OK and more\r\n'.repeat(1_000)) },
      short,
      'slow',
    ],
    [
      'sends a line without an end',
      { EXAMINE: (command) => sendForever(command, 'x'.repeat(65_536)) },
      {},
      'broken',
    ],
    ['never answers the password', { LOGIN: () => undefined }, short, 'slow'],
  ])('is left when it %s', async (_, answers, options, trouble) => {
    const error = await open(answers, everything, options).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(MailboxFailure);
    // A fast machine may receive too much before the time is over.
    expect(trouble === 'slow' ? ['slow', 'broken'] : [trouble]).toContain(error.trouble);
    expect(inspect(error, { depth: 10 })).not.toContain(host.login.password);
  });

  it('cuts mails that are longer than was asked for', async () => {
    const mails = await open(
      { FETCH: ({ text }) => (isForSizes(text) ? [row(1, 5)] : [mail(1, 'longer than asked')]) },
      (folder) => folder.mails([1], 6),
    );
    expect(mails.map(({ bytes }) => bytes.toString())).toEqual(['longer']);
  });

  it('has numbers that fit, whatever it says, and a last mail that it does not announce', async () => {
    const place = await open(
      {
        EXAMINE: () => ['* 2 EXISTS', `* OK [UIDVALIDITY ${'9'.repeat(40)}] ok`],
        FETCH: () => ['* 2 FETCH (UID 17)'],
      },
      async ({ uidValidity, uidNext }) => ({ uidValidity, uidNext }),
    );
    expect(Number.isSafeInteger(place.uidValidity)).toBe(true);
    expect(place.uidNext).toBe(18);
  });

  it('is dialled only at public addresses, also when its name leads elsewhere at the second connection', async () => {
    let connections = 0;
    const resolve = async () => {
      connections += 1;
      return [{ address: connections === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 as const }];
    };
    await open(plainAnswers, async () => undefined, { resolve });
    const again = withFolder(host.login, { ...host.options, resolve }, signal, async () => undefined);
    await expect(again).rejects.toMatchObject({ trouble: 'not_allowed' });
    expect(connections).toBe(2);
  });
});
