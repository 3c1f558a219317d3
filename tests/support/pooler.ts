import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@assay/postgres/testing/free-port';
import { Deadline } from './until.ts';

const program = '/usr/sbin/pgbouncer';
export const hasPooler = (): boolean => existsSync(program);

/** PgBouncer refuses to run as root. */
const nobody = 65_534;
const startMsMax = 20_000;

export interface Pooler {
  /** The address of the same database through the pooler. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

/** PgBouncer in transaction mode before a server on loopback: every transaction may run in another session. */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'assay-pooler-'));
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
; The default of 15 refuses clients that long after a server has restarted.
server_login_retry = 1
`,
  );
  await chmod(folder, 0o755);
  const asRoot = process.getuid?.() === 0;
  const child = spawn(program, ['--quiet', settings], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(asRoot && { uid: nobody, gid: nobody }),
  });
  const exited = once(child, 'exit');
  const deadline = new Deadline(startMsMax, () => (child.exitCode === null ? undefined : 'PgBouncer ended'));
  await deadline.until('PgBouncer listens', () => isListening(port));
  return {
    through: (url) => {
      const pooled = new URL(url);
      pooled.port = String(port);
      return pooled.href;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
