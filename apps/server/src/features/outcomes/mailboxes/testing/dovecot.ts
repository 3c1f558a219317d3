import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { makeDataFolder } from '../../../../testing/data-folder.ts';

const binary = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot'].find((path) => existsSync(path));
const certificates = new URL('./certificates/', import.meta.url).pathname;

/** Debian's package `dovecot-imapd`. Tests that need it are skipped without it. */
export const hasDovecot = binary !== undefined && existsSync('/usr/lib/dovecot/imap');

const dovecotHost = 'imap.bounces.test';
const userName = 'bounces';
const password = 'a password for programs';
/** Mails are not read as root. */
const nobody = 65_534;
const readyMs = 20_000;

/**
 * Dovecot on loopback, with TLS, one user and a Maildir. Its certificate is self-signed, and its key public: it protects nothing. To make
 * it anew: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=imap.bounces.test
 * -addext subjectAltName=DNS:imap.bounces.test -keyout host.key.pem -out host.pem`.
 */
export async function startDovecot() {
  const folder = await makeDataFolder('assay-dovecot-');
  const uid = process.getuid?.() === 0 ? nobody : (process.getuid?.() ?? nobody);
  const gid = process.getuid?.() === 0 ? nobody : (process.getgid?.() ?? nobody);
  const port = await freePort();
  const maildir = join(folder, 'mail', 'Maildir');
  for (const part of ['cur', 'new', 'tmp']) await mkdir(join(maildir, part), { recursive: true });
  const own = async (path: string) => (process.getuid?.() === 0 ? chown(path, uid, gid) : undefined);
  await chmod(folder, 0o755);
  for (const path of [
    join(folder, 'mail'),
    maildir,
    ...['cur', 'new', 'tmp'].map((part) => join(maildir, part)),
  ])
    await own(path);
  await writeFile(join(folder, 'users'), `${userName}:{PLAIN}${password}:${uid}:${gid}::${folder}/mail::\n`);
  await writeFile(join(folder, 'dovecot.conf'), configOf(folder, { port, uid, gid }));
  const server = spawn(binary ?? 'dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'pipe' });
  const said: string[] = [];
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (text) => said.push(String(text)));
  await untilReady(server, port, said);
  let count = 0;
  return {
    login: { host: dovecotHost, userName, password, folder: 'INBOX' },
    options: {
      allowRanges: [`127.0.0.1/32@${port}`],
      resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
      port,
      ca: readFileSync(join(certificates, 'host.pem'), 'utf8'),
    },
    /** As a mail server delivers. */
    async deliver(mail: string) {
      count += 1;
      const name = `${String(count).padStart(8, '0')}.assay`;
      await writeFile(join(maildir, 'tmp', name), mail);
      await own(join(maildir, 'tmp', name));
      await writeFile(join(maildir, 'new', name), mail);
      await own(join(maildir, 'new', name));
      await rm(join(maildir, 'tmp', name));
    },
    /** The files of the mails, whose names carry their flags. */
    files: async () => (await Promise.all(['cur', 'new'].map((part) => readdir(join(maildir, part))))).flat(),
    /** The folder begins anew: its mails get other numbers. */
    async forgetNumbers() {
      for (const name of await readdir(maildir))
        if (name.startsWith('dovecot')) await rm(join(maildir, name), { recursive: true, force: true });
    },
    said,
    async close() {
      server.kill();
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type Dovecot = Awaited<ReturnType<typeof startDovecot>>;

function configOf(
  folder: string,
  { port, uid, gid }: { readonly port: number; readonly uid: number; readonly gid: number },
): string {
  const isRoot = process.getuid?.() === 0;
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = /dev/stderr
ssl = required
ssl_cert = <${certificates}host.pem
ssl_key = <${certificates}host.key.pem
first_valid_uid = 1
mail_location = maildir:~/Maildir
${isRoot ? '' : `default_internal_user = ${process.env.USER ?? uid}\ndefault_login_user = ${process.env.USER ?? uid}\ndefault_internal_group = ${gid}`}
passdb {
  driver = passwd-file
  args = username_format=%u ${folder}/users
}
userdb {
  driver = passwd-file
  args = username_format=%u ${folder}/users
}
service imap-login {
  ${isRoot ? '' : 'chroot ='}
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
service anvil {
  ${isRoot ? '' : 'chroot ='}
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
`;
}

function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((found) =>
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => found(port));
    }),
  );
}

/** Until it greets. */
async function untilReady(server: ChildProcess, port: number, said: readonly string[]): Promise<void> {
  for (const end = Date.now() + readyMs; Date.now() < end; ) {
    if (server.exitCode !== null) break;
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    const greeting = await Promise.race([
      once(socket, 'data').then(
        ([text]) => String(text),
        () => '',
      ),
      pause(2_000, ''),
    ]);
    socket.destroy();
    if (greeting.startsWith('* OK')) return;
    await pause(100);
  }
  throw new Error(`Dovecot did not start: ${said.join('')}`);
}
